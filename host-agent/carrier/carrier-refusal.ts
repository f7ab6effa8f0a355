import type { Signals } from '../algorithm/signals';
import type { Carrier } from './carrier';

/** What a host wants of its carrier. */
export interface CarrierUse {
  readonly signals: Signals;
  readonly hopLimit: number;
  /** Parts of HPCC++ that live in the headers of INT. */
  readonly coordinates: boolean;
  readonly asksSwitches: boolean;
  readonly asksSojourn: boolean;
  readonly switchesChoose: boolean;
  /** The receiver makes a load of the links. */
  readonly hidesLinks: boolean;
  /** Something beside the algorithm needs to know the links of the path. */
  readonly needsLinks: boolean;
}

/** Why this carrier cannot do it, in one sentence; undefined if it can. */
export function carrierRefusal(carrier: Carrier, use: CarrierUse): string | undefined {
  const { name, shows, hopsMax } = carrier;
  const { signals, hopLimit } = use;
  const [isInt, isSummary] = [name === 'int', shows === 'summary'];
  const needsLinks = use.needsLinks || use.hidesLinks || signals.needsLinks === true;
  const rules: readonly (readonly [boolean, string])[] = [
    [
      !isInt && signals.telemetry !== 'hops',
      `the algorithm takes no records of hops, so nothing would ask by ${name}`,
    ],
    [use.coordinates && !isInt, 'coordination has its tag in the headers of INT'],
    [use.asksSwitches && !isInt, 'switches are asked for answers by a flag of INT'],
    [use.asksSojourn && !isInt, 'the time in the queue is an instruction of INT'],
    [use.switchesChoose && !isInt, 'switches that choose packets write INT'],
    [needsLinks && isSummary, `${name} tells one signal of a path, and no links`],
    [hopLimit > hopsMax, `${name} has room for ${hopsMax} hops, not ${hopLimit}`],
  ];
  return rules.find(([isAsked]) => isAsked)?.[1];
}
