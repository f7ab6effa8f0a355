import { generatedExecutors } from '../../../switch/codegen/generated-executor';
import { TofinoHarness } from '../../../switch/io/tofino-model/harness';
import { readTofinoProgram } from '../../../switch/io/tofino-model/program';
import { TofinoModelTarget } from '../../../switch/io/tofino-model/stf-target';
import { EmbeddedTarget } from '../../../switch/stf/embedded/embedded-target';
import { readOutline } from '../../../switch/stf/run/outline';
import type { PortPacket, StfReply, StfRequest } from '../../../switch/stf/run/requests';
import { stepThrough } from '../../../switch/stf/run/run-stf';
import type { StfTest } from '../../../switch/stf/text/statements';
import { profileJson } from './profile-tests';

/** A switch that takes a packet at a time and says what leaves for it. */
export interface PacketSwitch {
  /** @throws when a statement of the set-up is refused. */
  setUp(test: StfTest): Promise<void>;
  send(packet: PortPacket): Promise<readonly PortPacket[]>;
  stop(): Promise<void>;
}

type Perform = (request: StfRequest) => StfReply | Promise<StfReply>;

/** The Tofino model with the program of a folder. */
export async function chipSwitch(folder: string): Promise<PacketSwitch> {
  const program = readTofinoProgram(folder);
  const harness = new TofinoHarness(program.chip);
  const target = new TofinoModelTarget(harness, program);
  await target.ready();
  const perform: Perform = async (request) => target.perform(request);
  return switchOf(perform, program.outline, async () => harness.stop());
}

/** The twin of a profile on the embedded switch. */
export function twinSwitch(profile: string): PacketSwitch {
  const json = profileJson(`${profile}-model`);
  const target = new EmbeddedTarget(json, generatedExecutors());
  return switchOf(
    (request) => target.perform(request),
    readOutline(json),
    () => Promise.resolve(),
  );
}

function switchOf(
  perform: Perform,
  outline: Parameters<typeof stepThrough>[1],
  stop: () => Promise<void>,
): PacketSwitch {
  let seen = 0;
  return {
    async setUp(test) {
      const run = stepThrough(test, outline);
      let step = run.next();
      while (step.done !== true) step = run.next(await perform(step.value));
      if (step.value.kind !== 'pass') throw new Error(step.value.difference.message);
    },
    async send(packet) {
      await perform({ kind: 'send', packet });
      const reply = await perform({ kind: 'collect' });
      if (reply.kind !== 'packets') throw new Error('a switch shows its packets');
      const fresh = reply.packets.slice(seen);
      seen = reply.packets.length;
      return fresh;
    },
    stop,
  };
}
