import * as fs from 'node:fs';
import * as path from 'node:path';
import { assert, unreachable } from '../../../common/assert';
import { InputError } from '../../../common/errors';
import { readTextFile } from '../../../common/io/bounded-file';
import { microseconds } from '../../../common/units/units';
import type { Duration } from '../../../common/units/units';
import { addText, callText, isInTcam, TcamPlaces } from './entry-text';
import { ExactPlaces } from './exact-places';
import { contextForHarness } from './harness-context';
import { wordsOf } from './harness-memory';
import { plainSelectors } from './chip-registers';
import { MOST_MIRRORED_BYTES } from './mirror-sessions';
import type { TofinoHarness } from './harness';
import type { TofinoProgram } from './program';
import type { TableOutline } from '../../stf/run/outline';
import type {
  EntryIdentity,
  EntryTarget,
  NamedCall,
  StfReply,
  StfRequest,
} from '../../stf/run/requests';

const DONE: StfReply = { kind: 'done' };

/** Cells of a block of memory, and hexadecimal digits of each. */
const WORDS_OF_UNIT = 1024;
const WORD_DIGITS = 32;

/**
 * Where the harness finds a group: members side by side, behind those that stand alone, and the
 * fields of an entry that say that the selector chooses.
 */
const FIRST_OF_GROUPS = 512;
const MEMBERS_OF_GROUP = 64;
const SELECTOR_SHIFT = 7;
const SELECTS = '0x800000';

/** Requests of packet tests that the harness has no command for. */
const LACKS = {
  'mc-group-create': 'makes no multicast group',
  'mc-node-create': 'makes no multicast group',
  'mc-node-update': 'makes no multicast group',
  'mc-node-associate': 'makes no multicast group',
  'set-queue-rate': 'models no queue',
  'set-queue-depth': 'models no queue',
  'counter-write': 'writes no counter',
  'register-reset': 'writes no register',
  'read-direct-counter': 'reads no counter of an entry',
  'meter-set-rates': 'sets no meter',
  'set-direct-meter': 'sets no meter',
  'value-set-add': 'fills no parser value set',
  'read-digests': 'shows no digest',
  'read-log': 'shows no message',
} as const;

/** Parts of the set-up of a switch that packet tests say nothing of. */
export interface ChipSetUp {
  /** Length of a mirror session's copies, with the header before them and without FCS; all unless said. */
  readonly mirroredBytes?: number;
  /** Ports whose packets come in again. */
  readonly recirculating?: readonly number[];
  /** Selectors take hashes as the program computes them: else the chip scrambles them. */
  readonly plainHashes?: boolean;
}

/** The longest time that the harness lets pass: its clock goes on with packets. */
const LONGEST_WAIT = microseconds(100);

type Lacking = keyof typeof LACKS;
type Possible = Exclude<StfRequest, { readonly kind: Lacking }>;

const isPossible = (request: StfRequest): request is Possible => !(request.kind in LACKS);

/** Intel's Tofino model as the target of packet tests, by the commands of its test harness. */
export class TofinoModelTarget {
  readonly #places: TcamPlaces;
  readonly #exact: ExactPlaces;
  readonly #members = new Map<string, NamedCall[]>();
  readonly #groups = new Map<string, (readonly number[])[]>();
  /** Commands that have set default actions, for the harness forgets them. */
  readonly #defaults: string[] = [];
  #isSettled = true;

  constructor(
    private readonly harness: TofinoHarness,
    private readonly program: TofinoProgram,
    private readonly setUp: ChipSetUp = {},
  ) {
    this.#places = new TcamPlaces(program.sizes);
    this.#exact = new ExactPlaces(program);
  }

  get #recirculating(): readonly number[] {
    return this.setUp.recirculating ?? [];
  }

  /** Loads the program. @throws InputError when the harness does not take it. */
  async ready(): Promise<void> {
    const { pipe, chip } = this.program;
    const { json, commands } = contextForHarness(readTextFile(path.join(pipe, 'context.json')));
    await this.harness.load(pipe, json);
    for (const command of commands) await this.harness.execute(command);
    if (this.setUp.plainHashes === true) {
      const binary = fs.readFileSync(path.join(pipe, chip.binary));
      const selectors = plainSelectors(binary, chip.selectors);
      if (selectors.length > 0) await this.harness.write(selectors);
    }
    for (const port of this.#recirculating) await this.harness.execute(`wire ${port} -> ${port}`);
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
        return {
          kind: 'packets',
          packets: harness.packets().filter(({ port }) => !this.#recirculating.includes(port)),
        };
      case 'wait':
        await this.#wait(request.duration);
        return DONE;
      case 'add-entry':
        for (const command of this.#addTexts(request)) await harness.execute(command);
        return DONE;
      case 'delete-entry':
        await this.#remove(request.entry);
        return DONE;
      case 'set-default': {
        const { actions } = this.#table(request.table);
        const command = `setdefault ${request.table} ${callText(actions, request.call)}`;
        await harness.execute(command);
        this.#defaults.push(command);
        return DONE;
      }
      case 'create-member': {
        const { profile, call } = request;
        this.#members.set(profile, [...(this.#members.get(profile) ?? []), call]);
        return DONE;
      }
      case 'group-create':
        await this.#createGroup(request);
        return DONE;
      case 'counter-read': {
        const text = await harness.execute(`check_counter ${request.counter}(${request.index})`);
        return { kind: 'count', packets: field(text, 'packets'), bytes: field(text, 'bytes') };
      }
      case 'register-read':
        return { kind: 'value', value: await this.#readRegister(request.register, request.index) };
      case 'register-write':
        await this.#writeRegister(request);
        return DONE;
      case 'mirror':
        await this.#mirror(request);
        return DONE;
      default:
        return unreachable(request);
    }
  }

  async #wait(duration: Duration): Promise<void> {
    if (duration > LONGEST_WAIT) {
      throw new InputError(
        lacks('lets no more than 100 us pass, for its clock goes on by packets'),
      );
    }
    if (duration > 0) await this.harness.passTime(duration);
  }

  async #remove(entry: EntryIdentity): Promise<void> {
    const table = this.#table(entry.table);
    if (isInTcam(table)) throw new InputError(lacks('removes no entry of a TCAM'));
    await this.harness.execute(this.#exact.removeText(table, entry));
  }

  async #createGroup({ profile, members }: StfRequest & { kind: 'group-create' }): Promise<void> {
    const groups = this.#groups.get(profile) ?? [];
    this.#groups.set(profile, [...groups, members]);
    const bits = members.map((_, i) => i).join(', ');
    const size = this.program.sizes.get(profile) ?? 0;
    for (let stage = 0; stage < (this.program.stages.get(profile) ?? 0); stage += 1) {
      const word = stage * size + groups.length;
      await this.harness.execute(`selector ${profile}(${word}) add ${bits}`);
    }
  }

  async #mirror({ session, to }: StfRequest & { kind: 'mirror' }): Promise<void> {
    if (to !== undefined && 'group' in to) throw new InputError(lacks(LACKS['mc-group-create']));
    const bytes = this.setUp.mirroredBytes ?? MOST_MIRRORED_BYTES;
    await this.harness.write(this.program.chip.mirrorSession(session, to?.port, bytes));
    for (const command of this.#defaults) await this.harness.execute(command);
  }

  /** The harness writes words of memory; the other cells of the word stay as they are. */
  async #writeRegister({
    register,
    index,
    value,
  }: StfRequest & { kind: 'register-write' }): Promise<void> {
    const place = this.program.registers.get(register);
    if (place === undefined) {
      throw new InputError(
        `the program's context does not say where the register '${register}' is`,
      );
    }
    const { cellsInWord, stage, units, spare } = place;
    const word = Math.floor(index / cellsInWord);
    const unit = units[Math.floor(word / WORDS_OF_UNIT)];
    if (unit === undefined) throw new InputError(`'${register}' has no cell ${index}`);
    const digits: string[] = [];
    for (let cell = (word + 1) * cellsInWord - 1; cell >= word * cellsInWord; cell -= 1) {
      const content = cell === index ? value : await this.#readRegister(register, cell);
      digits.push(content.toString(16).padStart(WORD_DIGITS / cellsInWord, '0'));
    }
    // `selector` says that the word is in use, which raw writing does not.
    await this.harness.execute(`selector ${wordsOf(register)}(${word}) add 0`);
    for (const block of [unit, spare]) {
      const address = `${stage}:${block}:${word % WORDS_OF_UNIT}`;
      await this.harness.execute(`write_raw_sram ${address} ${digits.join('')}`);
    }
  }

  async #readRegister(register: string, index: number): Promise<bigint> {
    return field(await this.harness.execute(`check_register ${register}(${index})`), '\\S+');
  }

  async #settle(): Promise<void> {
    if (this.#isSettled) return;
    await this.harness.execute('wait');
    this.#isSettled = true;
  }

  #addTexts({ entry, target }: StfRequest & { readonly kind: 'add-entry' }): readonly string[] {
    const table = this.#table(entry.table);
    const place = isInTcam(table) ? this.#places.take(entry) : this.#exact.take(entry);
    return this.#callTexts(table, target).map((call) => addText(table, entry, place, call));
  }

  /**
   * Calls that an entry has one after the other; the last one stays. An entry that calls a member
   * writes it as well, for the harness leaves no data that it points to; one that calls a group
   * writes all its members, side by side.
   */
  #callTexts(table: TableOutline, target: EntryTarget): readonly string[] {
    const { actions, actionProfile = '' } = table;
    if (target.kind === 'call') return [callText(actions, target)];
    const member = (handle: number): NamedCall => {
      const call = this.#members.get(actionProfile)?.[handle];
      if (call === undefined) throw new InputError(`'${actionProfile}' has no member ${handle}`);
      return call;
    };
    if (target.kind === 'member') {
      return [callText(actions, member(target.handle), [String(target.handle)])];
    }
    const handles = this.#groups.get(actionProfile)?.[target.handle];
    if (handles === undefined) {
      throw new InputError(`'${actionProfile}' has no group ${target.handle}`);
    }
    const first = FIRST_OF_GROUPS + MEMBERS_OF_GROUP * target.handle;
    const selected = [`meter_addr:${target.handle << SELECTOR_SHIFT}`, `meter_pfe:${SELECTS}`];
    return handles
      .map((handle, i) => callText(actions, member(handle), [String(first + i)], selected))
      .reverse();
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
