import { nanoseconds } from '../../../../common/units/units';
import type { Instant } from '../../../../common/units/units';
import type { ExecutorFactory } from '../../../../switch/executor/executor';
import { V1ModelSwitch } from '../../../../switch/v1model/v1model-switch';
import { programNamed } from '../../../p4/support/tofino-models';

export interface EcmpSwitchOptions {
  readonly profile: string;
  readonly executor: ExecutorFactory;
  readonly groupSize: number;
  readonly seed: number;
}

const FAMILIES = [
  ['ipv4', 'forward', 'ecmp'],
  ['ipv6', 'forward_ipv6', 'ipv6_ecmp'],
] as const;

const GROUP = 1;
/** Between two packets, so that none has to wait. */
const PAUSE = nanoseconds(1e6);
const SEED_TABLE = 'ingress.route.ecmp_seed';

/** A switch whose only route, of each family, leads to a group of the ports 0, 1, 2, … */
export class EcmpSwitch {
  readonly #switch: V1ModelSwitch;
  readonly #groupSize: number;
  #left = -1;
  #now: Instant = 0;

  constructor({ profile, executor, groupSize, seed }: EcmpSwitchOptions) {
    const ports = Array.from({ length: groupSize }, (_, port) => ({ port, rate: 1e11 }));
    this.#groupSize = groupSize;
    this.#switch = new V1ModelSwitch({
      ports,
      executor,
      output: { transmit: (port) => (this.#left = port), schedulePort: () => undefined },
    });
    this.#switch.loadProgram(programNamed(profile).deviceConfig);
    for (const [family, action, selector] of FAMILIES) this.#route(family, action, selector);
    this.setSeed(seed);
  }

  setSeed(seed: number): void {
    const { pipeline } = this.#switch;
    const actionId = pipeline?.tableAction(SEED_TABLE, 'ingress.route.set_seed')?.id ?? -1;
    pipeline?.tables.get(SEED_TABLE)?.setDefault({ actionId, arguments: [BigInt(seed)] });
  }

  /** The port that the packet leaves by. */
  portOf(frame: Uint8Array): number {
    this.#left = -1;
    this.#now += PAUSE;
    const packet = { bytes: frame, length: frame.length };
    this.#switch.handlePacket(this.#now, 0, packet);
    if (this.#left < 0) throw new Error('the packet was forwarded nowhere');
    return this.#left;
  }

  #route(family: string, action: string, selector: string): void {
    const { pipeline } = this.#switch;
    const name = `ingress.route.${selector}`;
    const actionId = pipeline?.profileAction(name, `ingress.route.${action}`)?.id ?? -1;
    const profile = pipeline?.actionProfiles.get(name);
    const members = Array.from({ length: this.#groupSize }, (_, memberId) => ({
      memberId,
      weight: 1,
    }));
    for (const { memberId } of members) {
      profile?.insertMember(memberId, { actionId, arguments: [BigInt(memberId), 2n, 1n] });
    }
    profile?.insertGroup(GROUP, members, 0);
    pipeline?.tables.get(`ingress.route.${family}_route`)?.insert({
      key: [{ kind: 'lpm', value: 0n, prefixLength: 0 }],
      priority: 0,
      action: { kind: 'group', groupId: GROUP },
    });
  }
}
