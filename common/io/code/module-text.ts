import { parse } from 'acorn';
import type { AnyNode, Pattern, Program } from 'acorn';
import { InputError } from '../../errors';

/** Longest text of somebody's code: more than anybody writes, and read in a moment. */
export const CODE_BYTES_MAX = 1024 * 1024;

/** Rules for what code may do besides being called. */
export interface TextRules {
  /** True if its functions may be async. */
  readonly mayAwait: boolean;
}

/**
 * Somebody's module as the text of a function that takes the names that it may use, and returns its exports.
 * Whatever would bring further code in, or let some run when nobody waits for it, is refused.
 * @param names of the function's parameters: all that the text finds around it.
 * @throws InputError naming the file and the line.
 */
export function functionText(
  file: string,
  text: string,
  { mayAwait, names }: TextRules & { readonly names: readonly string[] },
): string {
  if (text.length > CODE_BYTES_MAX) throw new InputError(`${file}: is longer than 1 MiB`);
  const { body, results, prefix } = isModule(file, text)
    ? moduleBody(file, text, mayAwait)
    : { body: text, results: 'module.exports', prefix: COMMON_JS };
  // One line before the text, so that its lines keep their numbers.
  const made =
    `(function (${names.join(', ')}) { 'use strict'; return (function () { ${prefix}${body}\n` +
    `;return ${results};\n}).call(undefined); })`;
  // What the engine gets is what is judged: in a script, other comments count than in a module.
  const program = parsed(file, made, 'script');
  checkIsFunction(file, program);
  checkNodes(file, program, mayAwait);
  return made;
}

/** Refuses text that ends the function around it: what follows would run while it is read, and nobody watches that. */
function checkIsFunction(file: string, { body }: Program): void {
  const [first, ...more] = body;
  const isFunction =
    first?.type === 'ExpressionStatement' && first.expression.type === 'FunctionExpression';
  if (isFunction && more.length === 0) return;
  throw new InputError(`${file}: cannot be read: a bracket closes what the file has not opened`);
}

/** True for the form with import and export; `.js` is what it looks like. */
function isModule(file: string, text: string): boolean {
  if (file.endsWith('.mjs')) return true;
  if (file.endsWith('.cjs')) return false;
  try {
    return parse(text, { ecmaVersion: 'latest', sourceType: 'module' }).body.some(({ type }) =>
      /^(Import|Export)/.test(type),
    );
  } catch {
    return false;
  }
}

interface ModuleBody {
  readonly body: string;
  /** Expression that has the exports. */
  readonly results: string;
  /** Declarations before the body. */
  readonly prefix: string;
}

const COMMON_JS = 'const module = { exports: {} }; let exports = module.exports; ';

/** The text without the words of its exports, which are blanks of the same length. */
function moduleBody(file: string, text: string, mayAwait: boolean): ModuleBody {
  const program = parsed(file, text, 'module');
  checkNodes(file, program, mayAwait);
  const exported = new Map<string, string>();
  let body = text;
  const blank = (from: number, to: number, by = ''): void => {
    const blanks = body.slice(from, to).replace(/[^\n]/g, ' ');
    body = body.slice(0, from) + by + blanks.slice(by.length) + body.slice(to);
  };
  // From the end on, so that a sign more moves nothing that is still to come.
  for (const node of [...program.body].reverse()) {
    if (node.type === 'ExportDefaultDeclaration') {
      const isNamed = 'id' in node.declaration && node.declaration.id !== null;
      if (!isNamed) body = `${body.slice(0, node.end)};${body.slice(node.end)}`;
      blank(node.start, node.declaration.start, isNamed ? '' : 'void ');
    } else if (node.type === 'ExportNamedDeclaration' && node.declaration) {
      for (const name of declaredNames(node.declaration)) exported.set(name, name);
      blank(node.start, node.declaration.start);
    } else if (node.type === 'ExportNamedDeclaration' && !node.source) {
      for (const { local, exported: as } of node.specifiers)
        exported.set(wordOf(as), wordOf(local));
      blank(node.start, node.end);
    }
  }
  const entries = [...exported].map(([as, local]) => `[${JSON.stringify(as)}]: ${local}`);
  return { body, results: `{ __proto__: null, ${entries.join(', ')} }`, prefix: '' };
}

type Word =
  | { readonly type: 'Identifier'; readonly name: string }
  | { readonly type: 'Literal'; readonly value?: unknown };

const wordOf = (word: Word): string =>
  word.type === 'Identifier' ? word.name : String(word.value);

function declaredNames(node: AnyNode): string[] {
  if (node.type === 'VariableDeclaration')
    return node.declarations.flatMap(({ id }) => patternNames(id));
  const isNamed = node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration';
  return isNamed && node.id !== null ? [node.id.name] : [];
}

function patternNames(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((each) =>
        patternNames(each.type === 'RestElement' ? each.argument : each.value),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((each) => (each === null ? [] : patternNames(each)));
    case 'AssignmentPattern':
      return patternNames(pattern.left);
    case 'RestElement':
      return patternNames(pattern.argument);
    case 'MemberExpression':
      return [];
  }
}

function parsed(file: string, text: string, sourceType: 'module' | 'script'): Program {
  try {
    const program = parse(text, {
      ecmaVersion: 'latest',
      sourceType,
      locations: true,
      allowAwaitOutsideFunction: true,
    });
    if (sourceType === 'module') checkTop(file, program);
    return program;
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${file}: cannot be read: ${(error as Error).message}`);
  }
}

const RIGHTS = '--trust gives it all rights';

/** Refuses statements that bring in other files. */
function checkTop(file: string, { body }: Program): void {
  for (const node of body) {
    const brings =
      node.type === 'ImportDeclaration' ||
      node.type === 'ExportAllDeclaration' ||
      (node.type === 'ExportNamedDeclaration' && node.source);
    if (brings) throw new InputError(`${at(file, node)}: takes other files in: ${RIGHTS}`);
  }
}

/** Refuses expressions that reach beyond the text, or go on when nobody waits. */
function checkNodes(file: string, program: Program, mayAwait: boolean): void {
  const waiting: { readonly node: AnyNode; readonly isAsync: boolean }[] = [
    { node: program, isAsync: false },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node } = next;
    const isFunction = /Function/.test(node.type);
    const isAsync = isFunction ? 'async' in node && node.async : next.isAsync;
    const problem = problemOf(node, isAsync, mayAwait);
    if (problem !== undefined) throw new InputError(`${at(file, node)}: ${problem}: ${RIGHTS}`);
    for (const child of childrenOf(node)) waiting.push({ node: child, isAsync });
  }
}

function problemOf(node: AnyNode, isAsync: boolean, mayAwait: boolean): string | undefined {
  if (node.type === 'ImportExpression' || node.type === 'MetaProperty') {
    return node.type === 'MetaProperty' && node.meta.name === 'new'
      ? undefined
      : 'takes other files in';
  }
  const awaits = node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await);
  if (awaits && !isAsync) return 'awaits where nobody waits for it';
  const isAsyncFunction = /Function/.test(node.type) && isAsync;
  return isAsyncFunction && !mayAwait ? 'async code goes on after its call' : undefined;
}

function childrenOf(node: AnyNode): AnyNode[] {
  return Object.values(node as unknown as Record<string, unknown>)
    .flat()
    .filter(
      (value): value is AnyNode =>
        typeof value === 'object' && value !== null && 'type' in value && 'start' in value,
    );
}

const at = (file: string, { loc }: AnyNode): string => `${file}:${loc?.start.line ?? 1}`;
