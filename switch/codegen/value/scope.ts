import { code, Identifier, joined } from '../text/code';
import { Names } from '../text/names';
import { Writer } from '../text/writer';
import type { Program } from '../../ir/nodes';
import type { Code } from '../text/code';
import type { Layout } from '../layout/layout';
import type { GlobalNames } from '../layout/global-names';
import type { Value } from './value';

/** Context shared by all functions of one text. */
export interface GenerationContext {
  readonly layout: Layout;
  readonly globals: GlobalNames;
  /** The egress port that means "drop". */
  readonly dropPort: number;
  /** Ids of the actions that stand where they are called, for it is one place. */
  readonly inlined: ReadonlySet<number>;
  /** Names of what each switch with the program has for itself. */
  readonly objects: readonly string[];
}

/** Scope of generated code: the program, the text, and the local names of one function. */
export class Scope {
  constructor(
    private readonly context: GenerationContext,
    readonly writer: Writer,
    /** Runtime data of the action that is generated. */
    readonly parameters: readonly Value[] = [],
    private readonly locals = new Names([], context.globals.names),
  ) {}

  get layout(): Layout {
    return this.context.layout;
  }

  get globals(): GlobalNames {
    return this.context.globals;
  }

  get dropPort(): number {
    return this.context.dropPort;
  }

  get objects(): readonly string[] {
    return this.context.objects;
  }

  isInlined(actionId: number): boolean {
    return this.context.inlined.has(actionId);
  }

  get program(): Program {
    return this.layout.program;
  }

  /** A scope for another function, whose text goes to `writer`. */
  nested(writer: Writer, parameters: readonly Value[] = []): Scope {
    const names = parameters.flatMap((value) =>
      value.kind === 'pair' ? [value.high.text, value.low.text] : [value.code.text],
    );
    return new Scope(
      this.context,
      writer,
      parameters,
      new Names(names, this.context.globals.names),
    );
  }

  /** The same function, with runtime data for an action in it. */
  withParameters(parameters: readonly Value[]): Scope {
    return new Scope(this.context, this.writer, parameters, this.locals);
  }

  local(name: string): Identifier {
    return this.locals.unique(name);
  }

  /** Code that may be evaluated twice: simple as it is, or a new constant with its value. */
  bind(value: Code, name = 't'): Code {
    return value.isSimple ? value : this.keep(value, name);
  }

  /** Code that keeps its value when fields change: a literal, or a new constant. */
  bindBeforeStore(value: Code): Code {
    return value.text.includes('[') ? this.keep(value) : value;
  }

  /** A new constant with the value that the code has here. */
  keep(value: Code, name = 't'): Code {
    const local = this.local(name);
    this.writer.line(code`const ${local} = ${value};`);
    return code`${local}`;
  }
}

/** Members of a packet that code uses under their own names. */
const VIEWS = ['words', 'numbers', 'bigints', 'valid', 'counts', 'widths', 'bytes', 'input', 'end'];

/** Parameters of a function in code, and the values that its body calls by names of their own. */
interface Signature {
  readonly list: Code;
  readonly locals: readonly Value[];
}

const OF_THE_PACKET: Signature = { list: code`packet`, locals: [] };

/**
 * A function of the packet, and of further values where they are listed. The body comes
 * first, so that the function begins with those members of the packet that it uses.
 */
export function emitFunction(
  name: Identifier,
  outer: Scope,
  body: (scope: Scope) => void,
  { list, locals }: Signature = OF_THE_PACKET,
): void {
  const writer = new Writer();
  body(outer.nested(writer, locals));
  const variables = writer.variables();
  const views = VIEWS.filter((view) => variables.has(view));
  outer.writer.block(code`function ${name}(${list})`, () => {
    emitMembers(views, code`packet`, outer.writer);
    const objects = outer.objects.filter((object) => variables.has(object));
    emitMembers(objects, code`packet.objects`, outer.writer);
    outer.writer.append(writer);
  });
  outer.writer.blank();
}

/** Gives members of an object names of their own. */
function emitMembers(members: readonly string[], owner: Code, writer: Writer): void {
  if (members.length === 0) return;
  const names = members.map((member) => code`${new Identifier(member)}`);
  writer.line(code`const { ${joined(names, ', ')} } = ${owner};`);
}
