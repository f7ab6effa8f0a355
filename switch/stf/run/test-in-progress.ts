import { unreachable } from '../../../common/assert';
import { comparePackets, toHex, compareTexts } from './compare';
import { isPlain, resolveCommand } from './resolve-command';
import { resolveName } from './resolve-name';
import { StfError } from '../text/tokens';
import { ask, perform, resolved } from './requests';
import type { Expectation, Mismatch, ExpectedText } from './compare';
import type { ProgramOutline } from './outline';
import type { EntryIdentity, StfRequest, Steps } from './requests';
import type { PlainCommand } from './resolve-command';
import type { Unresolved } from './resolve-name';
import type { Command, ComparisonOperator } from '../text/statements';

/** State of a running test: results so far, and packets still expected. */
export class TestInProgress {
  readonly notes: string[] = [];
  readonly #expectations: Expectation[] = [];
  readonly #digests: ExpectedText[] = [];
  readonly #log: ExpectedText[] = [];
  readonly #ports = new Set<number>();
  readonly #entries: EntryIdentity[] = [];
  readonly #named = new Map<string, EntryIdentity>();

  constructor(private readonly outline: ProgramOutline) {}

  /** Executes a statement. Returns what contradicts it at once; most contradictions show later. */
  *execute(line: number, command: Command): Steps<Mismatch | undefined> {
    if (isPlain(command)) {
      yield* this.#executePlain(line, command);
      return undefined;
    }
    switch (command.kind) {
      case 'expect':
        this.#ports.add(command.port);
        this.#expectations.push({ line, ...command });
        return undefined;
      case 'no-packet':
        return yield* this.#checkSilence(line);
      case 'remove':
        yield* this.#remove(line, this.#entry(line, command.id));
        return undefined;
      case 'remove-all':
        for (const entry of this.#entries.splice(0).reverse()) yield* this.#remove(line, entry);
        return undefined;
      case 'check-counter':
        return yield* this.#checkCounter(line, command);
      case 'check-register':
        return yield* this.#checkRegister(line, command);
      case 'mirroring-get':
        return undefined;
      case 'meter-set-entry-rates': {
        const { name } = resolved(line, resolveName(this.outline.meters, command.meter, 'meter'));
        const entry = this.#entry(line, command.id);
        const { rates } = command;
        yield* perform(line, { kind: 'set-direct-meter', meter: name, entry, rates });
        return undefined;
      }
      case 'meter-get-rates':
        resolved(line, resolveName(this.outline.meters, command.meter, 'meter'));
        return undefined;
      case 'expect-digest': {
        const { name } = resolved(line, this.#digest(command.digest));
        this.#digests.push({ line, text: digestText(name, command.values) });
        return undefined;
      }
      case 'expect-log':
        this.#log.push({ line, text: command.text });
        return undefined;
      default:
        return unreachable(command);
    }
  }

  /** Compares everything that was to come out. */
  *finish(): Steps<Mismatch | undefined> {
    const { packets } = yield* ask(0, { kind: 'collect' }, 'packets');
    const difference = comparePackets(this.#expectations, packets, this.#ports);
    if (difference !== undefined) return difference;
    if (this.#digests.length > 0) {
      const { digests } = yield* ask(
        this.#digests[0]?.line ?? 0,
        { kind: 'read-digests' },
        'digests',
      );
      const found = digests.map(({ name, values }) => digestText(name, values));
      const wrong = compareTexts('digest', this.#digests, found);
      if (wrong !== undefined) return wrong;
    }
    if (this.#log.length === 0) return undefined;
    const { messages } = yield* ask(this.#log[0]?.line ?? 0, { kind: 'read-log' }, 'log');
    return compareTexts('message', this.#log, messages);
  }

  *#executePlain(line: number, command: PlainCommand): Steps<void> {
    const request = resolved(line, resolveCommand(this.outline, command));
    if (command.kind === 'packet') this.#ports.add(command.port);
    const reply = yield* perform(line, request);
    if (request.kind === 'add-entry' && command.kind === 'add') {
      this.#entries.push(request.entry);
      if (command.id !== undefined) this.#named.set(command.id, request.entry);
    }
    if (request.kind === 'counter-read' && reply.kind === 'count') {
      const { packets, bytes } = reply;
      this.notes.push(`${request.counter}(${request.index}): ${packets} packets, ${bytes} bytes`);
    }
    if (request.kind === 'register-read' && reply.kind === 'value') {
      this.notes.push(`${request.register}(${request.index}): ${reply.value}`);
    }
  }

  /** As many packets have left, by whatever port, as are expected so far. */
  *#checkSilence(line: number): Steps<Mismatch | undefined> {
    const { packets } = yield* ask(line, { kind: 'collect' }, 'packets');
    const wanted = this.#expectations.length;
    if (packets.length === wanted) return undefined;
    const list = packets.map(({ port, bytes }) => `\n  port ${port}: ${toHex(bytes)}`).join('');
    const message = `wanted ${wanted} packets so far, found ${packets.length}${list}`;
    return { line, message };
  }

  *#remove(line: number, entry: EntryIdentity): Steps<void> {
    const position = this.#entries.indexOf(entry);
    if (position >= 0) this.#entries.splice(position, 1);
    yield* perform(line, { kind: 'delete-entry', entry });
  }

  *#checkCounter(
    line: number,
    { counter: name, cell, test }: Command & { readonly kind: 'check-counter' },
  ): Steps<Mismatch | undefined> {
    const { name: counter } = resolved(line, resolveName(this.outline.counters, name, 'counter'));
    const request: StfRequest =
      typeof cell === 'number'
        ? { kind: 'counter-read', counter, index: cell }
        : { kind: 'read-direct-counter', counter, entry: this.#entry(line, cell) };
    const count = yield* ask(line, request, 'count');
    if (test === undefined || holds(count[test.unit], test.operator, test.value)) return undefined;
    const { unit, operator, value } = test;
    return {
      line,
      message: `${counter}(${cell}): wanted ${unit} ${operator} ${value}, found ${count[unit]}`,
    };
  }

  *#checkRegister(
    line: number,
    { register: name, index, operator, value }: Command & { readonly kind: 'check-register' },
  ): Steps<Mismatch | undefined> {
    const found = resolved(line, resolveName(this.outline.registers, name, 'register'));
    const request: StfRequest = { kind: 'register-read', register: found.name, index };
    const { value: actual } = yield* ask(line, request, 'value');
    if (holds(actual, operator, value)) return undefined;
    const message = `${found.name}(${index}): wanted ${operator} ${value}, found ${actual}`;
    return { line, message };
  }

  #entry(line: number, id: string): EntryIdentity {
    const known = [...this.#named.keys()].join(', ') || 'none';
    const entry = this.#named.get(id);
    if (entry !== undefined) return entry;
    throw new StfError(line, `wanted the name of an entry (${known}), found '${id}'`);
  }

  #digest(name: string): { readonly name: string } | Unresolved {
    return resolveName(this.outline.digests, name, 'digest');
  }
}

function holds(left: bigint, operator: ComparisonOperator, right: bigint): boolean {
  return COMPARISONS[operator](left, right);
}

const COMPARISONS: Readonly<Record<ComparisonOperator, (a: bigint, b: bigint) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

const digestText = (name: string, values: readonly bigint[]): string =>
  [name, ...values.map((value) => `0x${value.toString(16)}`)].join(' ');
