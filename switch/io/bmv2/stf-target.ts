import { PS_PER_MS } from '../../../common/units/units';
import { unreachable } from '../../../common/assert';
import { InputError } from '../../../common/errors';
import { addEntryText, commandText, entryText, isPlainRequest, ratesText } from './command-text';
import { Bmv2CommandLine } from './command-line';
import { Bmv2Dataplane } from './dataplane';
import type { PortPacket } from './dataplane';
import type { EntryIdentity, StfReply, StfRequest } from '../../stf/run/requests';
import type { Bmv2 } from './process';

const DONE: StfReply = { kind: 'done' };

/** Silence in milliseconds before packets are counted. */
const FINAL_QUIET_MS = 400;

/** bmv2 as the target of STF tests: packets over gRPC, all else over its command line. */
export class Bmv2Target {
  readonly #dataplane: Bmv2Dataplane;
  readonly #commands: Bmv2CommandLine;
  readonly #packets: PortPacket[] = [];
  readonly #handles = new Map<string, string>();
  readonly #groups = new Map<string, number>();
  #hasSent = false;
  #isSettled = true;

  /** @param quietMs when nothing has come out for so long, the next request is carried out. */
  constructor(
    bmv2: Bmv2,
    private readonly quietMs: number,
  ) {
    this.#dataplane = new Bmv2Dataplane(bmv2.dataplane, bmv2.deviceId);
    this.#commands = new Bmv2CommandLine(bmv2.thriftPort);
  }

  /** @throws InputError when the command line cannot reach the switch. */
  async ready(): Promise<void> {
    await this.#commands.ready();
  }

  /** Carries out a request; what bmv2 refuses is an answer. */
  async perform(request: StfRequest): Promise<StfReply> {
    if (request.kind === 'send') {
      this.#dataplane.send(request.packet);
      this.#hasSent = true;
      this.#isSettled = false;
      return DONE;
    }
    if (request.kind === 'wait' && request.duration > 0) {
      await new Promise((resolve) => setTimeout(resolve, request.duration / PS_PER_MS));
      return DONE;
    }
    await this.#settle(request);
    try {
      return await this.#performAtRest(request);
    } catch (error) {
      if (error instanceof InputError) return { kind: 'refused', reason: error.message };
      throw error;
    }
  }

  close(): void {
    this.#commands.close();
    this.#dataplane.close();
  }

  /**
   * A packet that comes too late for a request makes the test fail, and so run again. One that
   * comes after the last request would be missed, so that one waits longer.
   */
  async #settle({ kind }: StfRequest): Promise<void> {
    const isLast = kind === 'collect';
    if (isLast ? !this.#hasSent : this.#isSettled) return;
    const quietMs = isLast ? Math.max(FINAL_QUIET_MS, this.quietMs) : this.quietMs;
    for (;;) {
      const packet = await this.#dataplane.receive(quietMs);
      if (packet === undefined) break;
      this.#packets.push(packet);
    }
    this.#isSettled = true;
  }

  async #performAtRest(request: Exclude<StfRequest, { readonly kind: 'send' }>): Promise<StfReply> {
    if (isPlainRequest(request)) {
      await this.#commands.execute(commandText(request));
      return DONE;
    }
    switch (request.kind) {
      case 'collect':
        return { kind: 'packets', packets: this.#packets };
      case 'wait':
        return DONE;
      case 'add-entry': {
        const answer = await this.#commands.execute(addEntryText(request));
        this.#handles.set(entryText(request.entry), handleIn(answer));
        return DONE;
      }
      case 'delete-entry': {
        const { entry } = request;
        await this.#commands.execute(`table_delete ${entry.table} ${this.#handle(entry)}`);
        return DONE;
      }
      case 'group-create':
        return this.#createGroup(request.profile, request.members);
      case 'counter-read':
        return this.#readCounter(request.counter, String(request.index));
      case 'read-direct-counter':
        return this.#readCounter(request.counter, this.#handle(request.entry));
      case 'register-read':
        return this.#readRegister(request.register, request.index);
      case 'set-direct-meter': {
        const handle = this.#handle(request.entry);
        const rates = ratesText(request).join(' ');
        await this.#commands.execute(`meter_set_rates ${request.meter} ${handle} ${rates}`);
        return DONE;
      }
      case 'read-digests':
      case 'read-log':
        throw new InputError("bmv2's command line shows neither digests nor messages");
      default:
        return unreachable(request);
    }
  }

  async #createGroup(profile: string, members: readonly number[]): Promise<StfReply> {
    await this.#commands.execute(`act_prof_create_group ${profile}`);
    const group = this.#groups.get(profile) ?? 0;
    this.#groups.set(profile, group + 1);
    for (const member of members) {
      await this.#commands.execute(`act_prof_add_member_to_group ${profile} ${member} ${group}`);
    }
    return DONE;
  }

  async #readCounter(counter: string, cell: string): Promise<StfReply> {
    const answer = await this.#commands.execute(`counter_read ${counter} ${cell}`);
    const [, bytes, packets] = /\((\d+) bytes, (\d+) packets\)/.exec(answer) ?? [];
    if (bytes === undefined || packets === undefined) throw unexpected(answer);
    return { kind: 'count', bytes: BigInt(bytes), packets: BigInt(packets) };
  }

  async #readRegister(register: string, index: number): Promise<StfReply> {
    const answer = await this.#commands.execute(`register_read ${register} ${index}`);
    const [, value] = /\]=\s*(\d+)/.exec(answer) ?? [];
    if (value === undefined) throw unexpected(answer);
    return { kind: 'value', value: BigInt(value) };
  }

  #handle(entry: EntryIdentity): string {
    const handle = this.#handles.get(entryText(entry));
    if (handle === undefined) throw new InputError(`bmv2 has no entry ${entryText(entry)}`);
    return handle;
  }
}

function handleIn(answer: string): string {
  const [, handle] = /with handle (\d+)/.exec(answer) ?? [];
  if (handle === undefined) throw unexpected(answer);
  return handle;
}

const unexpected = (answer: string): InputError =>
  new InputError(`wanted another answer of bmv2's command line than '${answer.trim()}'`);
