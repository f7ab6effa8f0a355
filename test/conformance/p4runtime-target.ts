import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4Info } from '../../common/p4runtime/generated/p4/config/v1/p4info';
import { parseP4Info } from '../../common/p4runtime/load-p4info';
import { SAMPLE_P4INFO, SAMPLE_PROGRAM } from '../support/p4runtime/sample-program';

/** A running P4Runtime server with one device and no program yet. */
export interface P4RuntimeTarget {
  readonly address: string;
  readonly deviceId: bigint;
  /** Packets of ports 0 to 4. */
  readonly dataplane: Dataplane;
  stop(): Promise<void>;
}

export interface Dataplane {
  /** A packet arrives at a port. */
  send(port: number, bytes: Uint8Array): void;
  /** The next packets that leave, as `port hex`, sorted; fewer when no more come. */
  sent(count: number): Promise<readonly string[]>;
}

/**
 * State of the device that a test needs: `blank` has no program yet and has seen no controller, `any` may
 * have been used before, by controllers that have left.
 */
export type DeviceWish = 'blank' | 'any';

export type StartTarget = (wish: DeviceWish) => Promise<P4RuntimeTarget>;

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
