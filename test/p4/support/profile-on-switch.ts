import { generatedExecutors } from '../../../switch/codegen/generated-executor';
import { EmbeddedTarget } from '../../../switch/stf/embedded/embedded-target';
import { readOutline } from '../../../switch/stf/run/outline';
import { parseStf } from '../../../switch/stf/text/parse-stf';
import { runStf } from '../../../switch/stf/run/run-stf';
import type { PortPacket } from '../../../switch/stf/run/requests';
import { profileJson } from './profile-tests';

/** A compiled profile, or a model, on the embedded switch, configured by STF statements. */
export class ProfileOnSwitch {
  readonly #target: EmbeddedTarget;
  #collected = 0;

  constructor(profile: string, statements: string) {
    const json = profileJson(profile);
    this.#target = new EmbeddedTarget(json, generatedExecutors());
    runStf(parseStf(statements, `${profile} set-up`), readOutline(json), this.#target);
  }

  /** Sends a burst of packets; returns the packets that leave. */
  through(packets: readonly PortPacket[]): readonly PortPacket[] {
    for (const packet of packets) this.#target.perform({ kind: 'send', packet });
    const reply = this.#target.perform({ kind: 'collect' });
    if (reply.kind !== 'packets') throw new Error(`packets were expected, found ${reply.kind}`);
    const fresh = reply.packets.slice(this.#collected);
    this.#collected = reply.packets.length;
    return fresh;
  }
}
