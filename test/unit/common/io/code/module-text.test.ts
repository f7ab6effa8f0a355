import * as vm from 'node:vm';
import { functionText } from '../../../../../common/io/code/module-text';

/** Exports of a module, run as a function of some names. */
function exportsOf(text: string, file = 'mine.mjs', mayAwait = false): Record<string, unknown> {
  const made = functionText(file, text, { mayAwait, names: ['given'] });
  // The text is the function; only a compartment runs it without rights.
  return (vm.runInThisContext(made) as (given: unknown) => Record<string, unknown>)(7);
}

describe('the text of a module as a function', () => {
  test.each([
    ['export const a = given, b = 2;', { a: 7, b: 2 }],
    ['export function a() {} export class B {} export let c = typeof a;', { c: 'function' }],
    ['const a = 1; export { a, a as "some name" };', { a: 1, 'some name': 1 }],
    ['export const { a, b: [c = 5], ...rest } = { a: 1, b: [], d: 4 };', { a: 1, c: 5 }],
    ['export default { a: 1 }; export const b = 2;', { b: 2 }],
    ['export default function () {} export const b = 2;', { b: 2 }],
    ['export default function named() {} export const b = typeof named;', { b: 'function' }],
    ['const Math = 5; export const a = Math;', { a: 5 }],
  ])('%s', (text, exported) => {
    expect(exportsOf(text)).toMatchObject(exported);
  });

  test.each([
    ['mine.cjs', 'exports.a = given;'],
    ['mine.cjs', 'module.exports = { a: given };'],
    ['mine.js', 'exports.a = given;'],
    ['mine.js', 'export const a = given;'],
  ])('of %s: %s', (file, text) => {
    expect(exportsOf(text, file)).toMatchObject({ a: 7 });
  });

  test('keeps the numbers of its lines', () => {
    expect(() => exportsOf('export const a = 1;\n\nimport("x");')).toThrow('mine.mjs:3: ');
    expect(() => exportsOf('exports.a = 1;\n\nimport("x");', 'mine.cjs')).toThrow('mine.cjs:3: ');
    expect(() => exportsOf('export const a = ;')).toThrow('mine.mjs: cannot be read: Unexpected');
  });

  test.each([
    ['await 1;', 'awaits where nobody waits for it'],
    ['for await (const a of []);', 'awaits where nobody waits for it'],
    ['const a = async () => {};', 'async code goes on after its call'],
    ['({ async f() {} });', 'async code goes on after its call'],
    ['async function* f() {}', 'async code goes on after its call'],
    ['export * from "x";', 'takes other files in'],
    ['`${import("x")}`;', 'takes other files in'],
  ])('refuses %s', (text, said) => {
    expect(() => exportsOf(text)).toThrow(said);
  });

  test.each([
    ['mine.cjs', '}).call(undefined); }); for (;;); (function () { return (function () {'],
    ['mine.cjs', '}).call(undefined); }, (() => { for (;;); })(), function () { (function () {'],
    // Lines that begin so are comments of scripts only.
    [
      'mine.mjs',
      'let y; 0\n<!--y; (() => { (() => {\n}).call(); }); for (;;); (() => { (() => { 0\n<!--y; }); });',
    ],
  ])('refuses %s that would run while it is read: %s', (file, text) => {
    expect(() => exportsOf(text, file)).toThrow(
      `${file}: cannot be read: a bracket closes what the file has not opened`,
    );
  });

  test('lets code await that may', () => {
    expect(exportsOf('export const a = async () => await 1;', 'a.mjs', true)).toHaveProperty('a');
    expect(() => exportsOf('await 1;', 'a.mjs', true)).toThrow('awaits where nobody waits');
  });

  test('refuses more than anybody writes', () => {
    expect(() => exportsOf(`//${'a'.repeat(2 ** 20)}`)).toThrow('mine.mjs: is longer than 1 MiB');
  });
});
