import { assert } from '../../../common/assert';

/**
 * Text of generated JavaScript as types: raw strings cannot slip into it. An {@link Identifier} is
 * checked when it is made, and {@link code} quotes every string that it is given.
 */

const WORDS_OF_THE_LANGUAGE = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum ' +
    'eval export extends false finally for function if implements import in instanceof ' +
    'interface let new null package private protected public return static super switch this ' +
    'throw true try typeof undefined var void while with yield'
  ).split(' '),
);

/** True if JavaScript accepts the text as the name of a variable. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text) && !WORDS_OF_THE_LANGUAGE.has(text);
}

/** The name of a variable. */
export class Identifier {
  constructor(readonly text: string) {
    assert(isIdentifier(text), `'${text}' is an identifier`);
  }
}

/** An expression, statement or fragment. Only {@link code} and {@link joined} make it. */
export class Code {
  constructor(readonly text: string) {}

  /** A variable, a literal or one element of an array: evaluating it twice costs nothing. */
  get isSimple(): boolean {
    return /^-?[\w$.]+(\[[\w$]+( \+ \d+)?\])?$/.test(this.text);
  }
}

/** Arguments of the template; strings become string literals. */
type Part = Code | Identifier | number | bigint | string | boolean;

/** Makes code of a template; the constant parts of the template are taken as they are. */
export function code(template: TemplateStringsArray, ...parts: readonly Part[]): Code {
  let text = template[0] ?? '';
  parts.forEach((part, i) => {
    text += render(part) + (template[i + 1] ?? '');
  });
  return new Code(text);
}

/** Puts a separator between pieces of code. */
export function joined(
  parts: readonly Code[],
  separator: ', ' | ' | ' | ' + ' | ' && ' | ' || ',
): Code {
  return new Code(parts.map((part) => part.text).join(separator));
}

/** The code as an operand: in parentheses unless it needs none. */
export function operand(part: Code): Code {
  const { text } = part;
  const closed = part.isSimple || /^[\w$.]+\([^()]*\)$/.test(text) || isEnclosed(text);
  return closed ? part : new Code(`(${text})`);
}

/** The first parenthesis closes at the very end. */
function isEnclosed(text: string): boolean {
  if (!text.startsWith('(')) return false;
  let depth = 0;
  for (let i = 0; i < text.length - 1; i++) {
    if (text[i] === '(') depth++;
    if (text[i] === ')') depth--;
    if (depth === 0) return false;
  }
  return text.endsWith(')');
}

function render(part: Part): string {
  if (part instanceof Code || part instanceof Identifier) return part.text;
  if (typeof part === 'string') return JSON.stringify(part);
  if (typeof part === 'boolean') return String(part);
  return typeof part === 'bigint' ? `${part.toString()}n` : String(part);
}
