import {
  isAlias,
  isNode,
  isScalar as isScalarNode,
  Lexer,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';
import type { Document } from 'yaml';
import { InputError } from '../errors';

/** A document that was read, and where its lines begin. */
export interface YamlText {
  readonly document: Document;
  readonly lines: LineCounter;
  /** Plain values; every alias stands for a copy that is a tree. */
  readonly value: unknown;
}

/**
 * Most parts that aliases may repeat in all: a page of aliases can stand for more than a memory
 * holds.
 */
const REPEATED_PARTS_MAX = 100;
/** Deeper than any document means to be, and less than what a stack holds. */
const DEPTH_MAX = 100;
/** Spaces before a line that count as a level. */
const SPACES_MAX = 16;

/** Characters that no text has. */
const CONTROL = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

/**
 * Reads YAML, of which JSON is a part.
 * @throws InputError with file and line: text that is no YAML, aliases that repeat too much or
 * themselves, and parts within parts without end.
 */
export function readYaml(text: string, file: string): YamlText {
  const lines = new LineCounter();
  checkSize(text, file);
  checkLevels(text, file);
  // The library compares each key with all before it, which takes minutes with some ten thousand of them.
  const options = {
    lineCounter: lines,
    logLevel: 'error',
    uniqueKeys: false,
    prettyErrors: false,
  } as const;
  const document = parseDocument(text, options);
  const syntax = document.errors[0];
  if (syntax !== undefined) {
    const { line } = lines.linePos(syntax.pos[0]);
    // The bytes of a program or a capture say nothing.
    const sentence = CONTROL.test(text) ? 'is no text: wanted YAML or JSON' : syntax.message;
    throw new InputError(`${file}:${line}: ${sentence}`);
  }
  checkKeys({ document, lines }, file);
  const value = valueOf({ document, lines }, file);
  checkParts(value, file, 0);
  return { document, lines, value };
}

/**
 * Longest text, in characters: the parser takes some seconds and a gigabyte for that much. A network of a thousand
 * switches takes a tenth.
 */
const TEXT_MAX = 4_000_000;

function checkSize(text: string, file: string): void {
  if (text.length <= TEXT_MAX) return;
  throw new InputError(
    `${file}: has ${text.length} characters, and a document has at most ${TEXT_MAX}`,
  );
}

/** Refuses a key that its map has already; takes time in proportion to the text. */
function checkKeys({ document, lines }: Omit<YamlText, 'value'>, file: string): void {
  visit(document, {
    Map: (_, { items }) => {
      const known = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalarNode(key)) continue;
        if (known.has(key.value)) {
          const { line } = lines.linePos(key.range?.[0] ?? 0);
          throw new InputError(`${file}:${line}: Map keys must be unique: ${String(key.value)}`);
        }
        known.add(key.value);
      }
    },
  });
}

/**
 * Characters that may open a level; runs of spaces count too. A text with few of these has few
 * levels.
 */
const OPENING = /[[{?-]| {16}/g;

/** Token that the lexer puts before the text of a plain scalar. */
const PLAIN_SCALAR = '\u001f';

/**
 * The parser calls itself per level, and a page of brackets would end its stack, if not the process.
 * So what opens a level is counted first: brackets, dashes and question marks of one line, and spaces
 * before it.
 */
function checkLevels(text: string, file: string): void {
  // PERF: lexing takes a third of reading a short document, and few documents have as many in all.
  if (!mayBeDeep(text)) return;
  let brackets = 0;
  let onLine = 0;
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    const [first = ''] = lexeme;
    if (isScalar || first === PLAIN_SCALAR) isScalar = first === PLAIN_SCALAR;
    else if (lexeme === '[' || lexeme === '{') brackets++;
    else if (lexeme === ']' || lexeme === '}') brackets--;
    else if (first === '\n' || first === '\r') onLine = 0;
    else if (first === '-' || first === '?') onLine++;
    else if (first === ' ' && onLine === 0) onLine = lexeme.length / SPACES_MAX;
    if (brackets + onLine > DEPTH_MAX) throw tooDeep(file);
  }
}

/** Looks no further than behind as many as matter. */
function mayBeDeep(text: string): boolean {
  const openings = text.matchAll(OPENING);
  for (let count = 0; count < DEPTH_MAX; count++) {
    if (openings.next().done === true) return false;
  }
  return true;
}

function valueOf({ document, lines }: Omit<YamlText, 'value'>, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: REPEATED_PARTS_MAX });
  } catch (error) {
    const isMeant = error instanceof ReferenceError || error?.constructor === Error;
    if (!isMeant) throw error;
    const { at, sentence } = aliasFault(document, error);
    throw new InputError(`${file}:${lines.linePos(at).line}: ${sentence}`);
  }
}

interface AliasFault {
  /** Offset in the text. */
  readonly at: number;
  readonly sentence: string;
}

/**
 * Finds the alias or anchor that makes a document impossible; `error` comes from the YAML library.
 */
function aliasFault(document: Document, error: Error): AliasFault {
  const anchors = new Set<string>();
  const aliases: number[] = [];
  const faults: AliasFault[] = [];
  visit(document, (_, node) => {
    if (!isNode(node)) return undefined;
    const at = node.range?.[0] ?? 0;
    if (isAlias(node)) {
      aliases.push(at);
      const wanted = `*${node.source} stands for nothing: wanted &${node.source} before it`;
      if (!anchors.has(node.source)) faults.push({ at, sentence: wanted });
    } else if (node.anchor !== undefined) {
      anchors.add(node.anchor);
      if (UNWRITABLE.test(node.anchor)) faults.push({ at, sentence: error.message });
    }
    return faults.length > 0 ? visit.BREAK : undefined;
  });
  const [fault] = faults;
  if (fault !== undefined) return fault;
  const [at = 0] = aliases;
  const repeating = `aliases repeat more than ${REPEATED_PARTS_MAX} parts: write fewer of them, or the parts`;
  return { at, sentence: error instanceof ReferenceError ? repeating : error.message };
}

/**
 * Characters that the library accepts in the name of an anchor, but cannot write where a key is a
 * collection.
 */
const UNWRITABLE = /[\u0000-\u0019\s]/;

/**
 * Checks the depth of plain values, and takes the sign off zeros. An alias within its own anchor makes a value
 * that contains itself, so it is deep without end. A zero with a sign would not be what is written of it.
 */
function checkParts(value: unknown, file: string, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > DEPTH_MAX) throw tooDeep(file);
  for (const [key, part] of Object.entries(value)) {
    if (part === 0) (value as Record<string, unknown>)[key] = 0;
    else checkParts(part, file, depth + 1);
  }
}

const tooDeep = (file: string): InputError =>
  new InputError(
    `${file}: wanted parts within parts to a depth of ${DEPTH_MAX}, and there are more`,
  );
