import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4Info } from '../../common/p4runtime/generated/p4/config/v1/p4info';
import { parseP4Info } from '../../common/p4runtime/load-p4info';
import { SAMPLE_P4INFO, SAMPLE_PROGRAM } from '../support/p4runtime/sample-program';

/** A running P4Runtime server with one device and no program yet. */
export interface P4RuntimeTarget {
  readonly address: string;
  readonly deviceId: bigint;
  /** Packets of ports 1 to 4. */
  readonly dataplane: Dataplane;
  stop(): Promise<void>;
}

export interface Dataplane {
  /** A packet arrives at a port. */
  send(port: number, bytes: Uint8Array): void;
  /** The next packets that leave, as `port hex`, sorted; fewer when no more come. */
  sent(count: number): Promise<readonly string[]>;
}

/** Where servers may differ, because the specification leaves it open or bmv2 departs from it. */
export interface P4RuntimeTraits {
  readonly apiVersion: string;
  /** Compares P4Info with the program. */
  readonly checksP4Info: boolean;
  /** After the primary leaves, nobody is primary until someone bids as high. */
  readonly remembersHighestBid: boolean;
  /** Elections per role. */
  readonly roles: boolean;
  /** Answers packets from the controller with stream errors. */
  readonly streamErrors: boolean;
  /** Registers, value sets, wildcard writes, backup replicas, truncation and strict checks. */
  readonly wholeSpecification: boolean;
  /** Cases in which the server is known to answer otherwise, by the names in the suite. */
  readonly departures: ReadonlySet<string>;
}

export type StartTarget = () => Promise<P4RuntimeTarget>;

export const sampleP4Info = (): P4Info => parseP4Info(Buffer.from(SAMPLE_P4INFO), 'text');

export function sampleConfig(
  program = SAMPLE_PROGRAM,
  cookie?: string,
): p4.ForwardingPipelineConfig {
  return new p4.ForwardingPipelineConfig({
    p4info: sampleP4Info(),
    p4DeviceConfig: Uint8Array.from(Buffer.from(program)),
    ...(cookie !== undefined && { cookie: new p4.ForwardingPipelineConfigCookie({ cookie }) }),
  });
}
