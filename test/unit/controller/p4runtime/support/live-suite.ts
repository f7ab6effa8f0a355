import { parseP4Info } from '../../../../../common/p4runtime/load-p4info';
import type { NamedEntity } from '../../../../../controller/entities/named-entity';
import { P4RuntimeClient } from '../../../../../controller/p4runtime/client';
import type { Pipeline } from '../../../../../controller/p4runtime/requests/pipeline';
import { EXTERNS_P4INFO, EXTERNS_PROGRAM } from '../../../../support/p4runtime/externs-program';
import { SAMPLE_P4INFO, SAMPLE_PROGRAM } from '../../../../support/p4runtime/sample-program';
import { describeIf } from '../../../../support/requires';
import { TARGETS } from './live-target';
import type { LiveTarget } from './live-target';

const pipelineOf = (p4info: string, program: string): Pipeline => ({
  p4info: parseP4Info(Buffer.from(p4info), 'text'),
  deviceConfig: Uint8Array.from(Buffer.from(program)),
});
export const EXTERNS = pipelineOf(EXTERNS_P4INFO, EXTERNS_PROGRAM);
export const SAMPLE = pipelineOf(SAMPLE_P4INFO, SAMPLE_PROGRAM);

// A busy machine takes its time to start bmv2 and to carry packets; no test waits for this to pass.
/** A switch of one kind for the whole suite, and a fresh primary of it for every test. */
export interface Live {
  readonly wholeSpecification: boolean;
  target(): LiveTarget;
  client(): P4RuntimeClient;
  /** Another controller; every new election id is above all before it. */
  connect(electionId: bigint): Promise<P4RuntimeClient>;
  newElectionId(step?: bigint): bigint;
}

/** Runs a suite with every kind of switch, each of which is started once. */
export function withEveryTarget(suite: (live: Live) => void): void {
  for (const { name, available, start, wholeSpecification } of TARGETS) {
    describeIf(available, `the P4Runtime client and ${name}`, `${name} is not on PATH`, () => {
      const live = new LiveSwitch(wholeSpecification);
      beforeAll(async () => live.begin(await start()), 30_000);
      afterAll(() => live.end());
      beforeEach(() => live.beginTest());
      afterEach(() => live.endTest());
      suite(live);
    });
  }
}

class LiveSwitch implements Live {
  private running: LiveTarget | undefined;
  private primary: P4RuntimeClient | undefined;
  private electionId = 0n;

  constructor(readonly wholeSpecification: boolean) {}

  begin(target: LiveTarget): void {
    this.running = target;
  }

  async end(): Promise<void> {
    await this.running?.stop();
  }

  async beginTest(): Promise<void> {
    this.primary = await this.connect(this.newElectionId());
    await this.primary.becomePrimary();
  }

  endTest(): void {
    this.primary?.close();
  }

  target(): LiveTarget {
    if (this.running === undefined) throw new Error('the switch has not been started');
    return this.running;
  }

  client(): P4RuntimeClient {
    if (this.primary === undefined) throw new Error('no test has begun');
    return this.primary;
  }

  newElectionId(step = 1n): bigint {
    this.electionId += step;
    return this.electionId;
  }

  connect(electionId: bigint): Promise<P4RuntimeClient> {
    const { address } = this.target();
    const options = { name: 's1', address, deviceId: 1n, electionId };
    return P4RuntimeClient.connect({ ...options, deadline: 20_000 });
  }
}

/** An entry of the externs program. */
export const smac = (source: string): NamedEntity => ({
  kind: 'table-entry',
  table: 'ingress.smac',
  match: { 'hdr.ethernet.src_addr': { exact: source } },
  priority: 0,
  action: { kind: 'action', action: { name: 'ingress.known', arguments: {} } },
});

/** Another; for the destinations that end in 9. */
export const dmac = (name: string, args: Record<string, string>, priority = 1): NamedEntity => ({
  kind: 'table-entry',
  table: 'ingress.dmac',
  match: {
    'hdr.ethernet.dst_addr': { ternary: ['00:00:00:00:00:09', '00:00:00:00:00:ff'] },
  },
  priority,
  action: { kind: 'action', action: { name: `ingress.${name}`, arguments: args } },
});
