import * as path from 'node:path';
import { assert, unreachable } from '../../../common/assert';
import { InputError } from '../../../common/errors';
import { readTextFile } from '../../../common/io/bounded-file';
import { addText, callText, isInTcam, TcamPlaces } from './entry-text';
import { contextForHarness } from './harness-context';
import type { TofinoHarness } from './harness';
import type { TofinoProgram } from './program';
import type { TableOutline } from '../../stf/run/outline';
import type { EntryTarget, NamedCall, StfReply, StfRequest } from '../../stf/run/requests';

const DONE: StfReply = { kind: 'done' };

/** Requests of packet tests that the harness has no command for. */
const LACKS = {
  'delete-entry': 'removes no entry',
  'group-create': 'binds no entry to a group of members',
  mirror: 'makes no session of a mirror',
  'mc-group-create': 'makes no multicast group',
  'mc-node-create': 'makes no multicast group',
  'mc-node-update': 'makes no multicast group',
  'mc-node-associate': 'makes no multicast group',
  'set-queue-rate': 'models no queue',
  'set-queue-depth': 'models no queue',
  'counter-write': 'writes no counter',
  'register-write': 'writes no register',
  'register-reset': 'writes no register',
  'read-direct-counter': 'reads no counter of an entry',
  'meter-set-rates': 'sets no meter',
  'set-direct-meter': 'sets no meter',
  'value-set-add': 'fills no parser value set',
  'read-digests': 'shows no digest',
  'read-log': 'shows no message',
} as const;

type Lacking = keyof typeof LACKS;
type Possible = Exclude<StfRequest, { readonly kind: Lacking }>;

const isPossible = (request: StfRequest): request is Possible => !(request.kind in LACKS);

/** Intel's Tofino model as the target of packet tests, by the commands of its test harness. */
export class TofinoModelTarget {
  readonly #places: TcamPlaces;
  readonly #members = new Map<string, NamedCall[]>();
  #isSettled = true;

  constructor(
    private readonly harness: TofinoHarness,
    private readonly program: TofinoProgram,
  ) {
    this.#places = new TcamPlaces(program.sizes);
  }

  /** Loads the program. @throws InputError when the harness does not take it. */
  async ready(): Promise<void> {
    const { pipe } = this.program;
    const { json, commands } = contextForHarness(readTextFile(path.join(pipe, 'context.json')));
    await this.harness.load(pipe, json);
    for (const command of commands) await this.harness.execute(command);
  }

  /** Carries out a request; what the harness refuses or lacks is an answer. */
  async perform(request: StfRequest): Promise<StfReply> {
    try {
      if (isPossible(request)) return await this.#perform(request);
      throw new InputError(lacks(LACKS[request.kind]));
    } catch (error) {
      if (error instanceof InputError) return { kind: 'refused', reason: error.message };
      throw error;
    }
  }

  async #perform(request: Possible): Promise<StfReply> {
    const { harness } = this;
    if (request.kind === 'send') {
      const { port, bytes } = request.packet;
      await harness.execute(`packet ${port} ${Buffer.from(bytes).toString('hex')}`);
      this.#isSettled = false;
      return DONE;
    }
    await this.#settle();
    switch (request.kind) {
      case 'collect':
        return { kind: 'packets', packets: harness.packets() };
      case 'wait':
        if (request.duration > 0) throw new InputError(lacks('lets no time pass'));
        return DONE;
      case 'add-entry':
        await harness.execute(this.#addText(request));
        return DONE;
      case 'set-default': {
        const { actions } = this.#table(request.table);
        await harness.execute(`setdefault ${request.table} ${callText(actions, request.call)}`);
        return DONE;
      }
      case 'create-member': {
        const { profile, call } = request;
        this.#members.set(profile, [...(this.#members.get(profile) ?? []), call]);
        return DONE;
      }
      case 'counter-read': {
        const text = await harness.execute(`check_counter ${request.counter}(${request.index})`);
        return { kind: 'count', packets: field(text, 'packets'), bytes: field(text, 'bytes') };
      }
      case 'register-read': {
        const text = await harness.execute(`check_register ${request.register}(${request.index})`);
        return { kind: 'value', value: field(text, '\\S+') };
      }
      default:
        return unreachable(request);
    }
  }

  async #settle(): Promise<void> {
    if (this.#isSettled) return;
    await this.harness.execute('wait');
    this.#isSettled = true;
  }

  #addText({ entry, target }: StfRequest & { readonly kind: 'add-entry' }): string {
    const table = this.#table(entry.table);
    const call = this.#callText(table, target);
    return addText(table, entry, isInTcam(table) ? this.#places.take(entry) : undefined, call);
  }

  /** An entry that calls a member writes it as well: the harness leaves no data that it points to. */
  #callText({ actions, actionProfile }: TableOutline, target: EntryTarget): string {
    if (target.kind === 'call') return callText(actions, target);
    if (target.kind === 'group') throw new InputError(lacks(LACKS['group-create']));
    const member = this.#members.get(actionProfile ?? '')?.[target.handle];
    if (member !== undefined) return callText(actions, member, [String(target.handle)]);
    throw new InputError(`'${actionProfile}' has no member ${target.handle}`);
  }

  #table(name: string): TableOutline {
    const table = this.program.outline.tables.find((each) => each.name === name);
    assert(table !== undefined, `the program has the table '${name}'`);
    return table;
  }
}

const lacks = (what: string): string => `the harness of the Tofino model ${what}`;

/** A figure of a counter or register as the harness prints it; 0 where a cell has none. */
function field(text: string, name: string): bigint {
  const [, value] =
    new RegExp(`\\(physical \\d+\\):(?: \\S+=\\d+)*? ${name}=(\\d+)`).exec(text) ?? [];
  return BigInt(value ?? 0);
}
