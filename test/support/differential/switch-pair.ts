import { generatedExecutors } from '../../../switch/codegen/generated-executor';
import { createInterpreter } from '../../../switch/interpreter/interpreter';
import { REPLICATION_REQUESTS, TABLE_REQUESTS } from '../../../switch/stf/embedded/table-requests';
import { VirtualSwitch } from '../../../switch/stf/embedded/virtual-switch';
import { toHex } from '../hex';
import type { Random } from '../../../common/random/random';
import type { ExecutorFactory } from '../../../switch/executor/executor';
import type { PortPacket, StfRequest } from '../../../switch/stf/run/requests';

const PORTS_IN = 4;

/** Whole switches with the same program and entries, one per executor, given the same packets. */
export class SwitchPair {
  readonly #left: Side;
  readonly #right: Side;
  readonly #random: Random;

  /** @param requests the entries of both. */
  constructor(json: string, requests: readonly StfRequest[], random: Random) {
    this.#random = random;
    this.#left = new Side(json, createInterpreter, requests);
    this.#right = new Side(json, generatedExecutors(), requests);
  }

  /** How many packets have left. */
  get sent(): number {
    return this.#right.sent;
  }

  /** @throws Error naming the packet for which the switches send different packets. */
  run(count: number, next: () => Uint8Array): void {
    for (let i = 0; i < count; i++) {
      const bytes = next();
      const port = this.#random.below(PORTS_IN);
      const left = this.#left.through({ port, bytes: bytes.slice() });
      const right = this.#right.through({ port, bytes: bytes.slice() });
      if (left === right) continue;
      const packet = `packet ${toHex(bytes)} at port ${port}`;
      throw new Error(`${packet}:\ninterpreter ${left}\ngenerated   ${right}`);
    }
  }
}

class Side {
  readonly #switch: VirtualSwitch;
  sent = 0;

  constructor(json: string, executor: ExecutorFactory, requests: readonly StfRequest[]) {
    this.#switch = new VirtualSwitch(json, executor);
    for (const request of requests) apply(this.#switch, request);
  }

  /** All that leaves for the packet, as text. */
  through(packet: PortPacket): string {
    const { sent, log, digests } = this.#switch;
    this.#switch.send(packet);
    this.#switch.settle();
    const text = sent.map(({ port, bytes }) => `port ${port}: ${toHex(bytes)}`).join(', ');
    this.sent += sent.length;
    for (const list of [sent, log, digests]) list.length = 0;
    return text;
  }
}

function apply(target: VirtualSwitch, request: StfRequest): void {
  if (request.kind === 'add-entry') TABLE_REQUESTS['add-entry'](target, request);
  else if (request.kind === 'create-member') TABLE_REQUESTS['create-member'](target, request);
  else if (request.kind === 'group-create') TABLE_REQUESTS['group-create'](target, request);
  else if (request.kind === 'mirror') REPLICATION_REQUESTS.mirror(target, request);
  else throw new Error(`no entries are made by ${request.kind}`);
}
