import type { AppliedNetwork } from '../../controller/io/apply-network';
import { CompiledTexts } from '../../switch/codegen/compile';
import { controlDocument } from '../network/control-document';
import type { ControlledNetwork } from './control-plane';
import { KnownSetUp } from './known-set-up';

/**
 * What runs of the same process have in common, for tests and campaigns of hundreds of short runs.
 * Their results are those of runs that share nothing.
 */
export class SharedWork {
  readonly compiled = new CompiledTexts();
  readonly #setUp = new KnownSetUp();
  #commit: string | undefined;

  /** Gives the switches what those of an equal network got. Returns false if there is none. */
  restore(network: ControlledNetwork): boolean {
    // Where links fail, a controller has to be there who knows what the switches hold.
    if (network.scenario.events.length > 0) return false;
    return this.#setUp.restore(textOf(network), network.devices);
  }

  remember(network: ControlledNetwork, applied: AppliedNetwork): void {
    this.#setUp.remember(textOf(network), applied);
  }

  /** The commit that is checked out, asked for once. */
  commit(ask: () => string): string {
    return (this.#commit ??= ask());
  }
}

/** Everything that the controller is told, wherever the switches are. */
function textOf({ plan, scenario, seed }: ControlledNetwork): string {
  const situation = { scenario, seed, address: '', linksDown: new Set<never>() };
  return JSON.stringify(controlDocument(plan, situation));
}
