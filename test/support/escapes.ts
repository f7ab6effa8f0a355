/** A try to get out of a compartment: where its code runs, the code, and what is said of it. */
export interface Escape {
  readonly name: string;
  /** Statements at the top level of the file. */
  readonly top?: string;
  /** Statements of `onAck(ack)`. */
  readonly onAck?: string;
  readonly said: RegExp;
}

const NOT_DEFINED = /is not defined/;
const NO_TEXT = /Code generation from strings disallowed/;

/** Tries that end as soon as they are made. */
export const REFUSED_ESCAPES: readonly Escape[] = [
  { name: 'import of fs', top: `import fs from 'node:fs';`, said: /takes other files in/ },
  { name: 'export from fs', top: `export { readFileSync } from 'node:fs';`, said: /other files/ },
  { name: 'import() of fs', onAck: `import('node:fs');`, said: /takes other files in/ },
  {
    name: 'import() behind a comment that only scripts have',
    top: 'let b = 0; const a = 1 <!--b + `\nimport("node:fs") //`;',
    said: /cannot be read|takes other files in|onAck/,
  },
  {
    name: 'a loop outside of what is watched, behind a comment that only scripts have',
    top: 'let b = 0; 0\n<!--b; (() => { (() => {\n}).call(); }); for (;;); (() => { (() => { 0\n<!--b; }); });',
    said: /closes what the file has not opened/,
  },
  { name: 'import.meta', onAck: `import.meta.url;`, said: /takes other files in/ },
  { name: 'require', onAck: `require('node:fs');`, said: NOT_DEFINED },
  { name: 'process', onAck: `process.exit(0);`, said: NOT_DEFINED },
  { name: 'exit at the top level', top: `process.exit(0);`, said: NOT_DEFINED },
  { name: 'network by fetch', onAck: `fetch('http://127.0.0.1');`, said: NOT_DEFINED },
  { name: 'a socket', onAck: `new WebSocket('ws://127.0.0.1');`, said: NOT_DEFINED },
  { name: 'a timer', onAck: `setTimeout(() => {}, 0);`, said: NOT_DEFINED },
  { name: 'a timer that throws late', top: `setTimeout(() => { throw 1; });`, said: NOT_DEFINED },
  { name: 'queueMicrotask', onAck: `queueMicrotask(() => {});`, said: NOT_DEFINED },
  { name: 'the clock', onAck: `Date.now();`, said: /secure mode|Date/ },
  { name: 'the clock by Date', onAck: `new Date();`, said: /secure mode|Date/ },
  { name: 'the clock by performance', onAck: `performance.now();`, said: NOT_DEFINED },
  { name: 'the clock by Intl', onAck: `new Intl.DateTimeFormat().format();`, said: NOT_DEFINED },
  { name: 'randomness', onAck: `Math.random();`, said: /secure mode|Math/ },
  { name: 'WebAssembly', onAck: `new WebAssembly.Memory({ initial: 1 });`, said: NOT_DEFINED },
  { name: 'shared memory', onAck: `new SharedArrayBuffer(8);`, said: NOT_DEFINED },
  { name: 'a wait of Atomics', onAck: `Atomics.wait([], 0, 0);`, said: NOT_DEFINED },
  { name: 'eval', onAck: `eval('1');`, said: NOT_DEFINED },
  { name: 'Function', onAck: `new Function('return 1')();`, said: NOT_DEFINED },
  {
    name: 'the constructor of a function',
    onAck: `(() => 0).constructor('return process')();`,
    said: NO_TEXT,
  },
  {
    name: 'the constructor chain of what it hears',
    onAck: `ack.constructor.constructor('return process')();`,
    said: NO_TEXT,
  },
  {
    name: 'the constructor chain of telemetry',
    onAck: `ack.telemetry.constructor.constructor('return process')();`,
    said: NO_TEXT,
  },
  {
    name: 'the constructor chain of its flow',
    top: `const steal = (flow) => flow.constructor.constructor('return process')();`,
    onAck: `steal(flow);`,
    said: NO_TEXT,
  },
  {
    name: 'the constructor of generators',
    onAck: `(function* () {}).constructor('yield process')().next();`,
    said: NO_TEXT,
  },
  {
    name: 'errors of the engine',
    onAck: `try { null.x; } catch (error) { error.constructor.constructor('return process')(); }`,
    said: NO_TEXT,
  },
  {
    name: 'an overflow of the stack, and whose error it is',
    onAck: `const deep = () => { try { deep(); } catch (error) { error.constructor.constructor('return process')(); } }; deep();`,
    said: /disallowed|call stack/,
  },
  {
    name: 'a format of stacks',
    onAck: `Error.prepareStackTrace = (_, frames) => frames; new Error().stack[0].getThis();`,
    said: /threw/,
  },
  {
    name: 'its caller',
    onAck: `(function f() { return f.caller('return process'); })();`,
    said: /threw/,
  },
  {
    name: 'the prototype of objects',
    onAck: `Object.prototype.trusted = true;`,
    said: /not extensible|trusted/,
  },
  { name: 'the prototype of arrays', onAck: `Array.prototype.push = 0;`, said: /read only/ },
  { name: 'a setter on what it hears', onAck: `ack.__proto__.now = 1;`, said: /not extensible/ },
  { name: 'the global object', onAck: `globalThis.console.log(1);`, said: /undefined/ },
  { name: 'an assignment to nothing', onAck: `leaked = 1;`, said: NOT_DEFINED },
  {
    name: 'a promise that nobody awaits',
    onAck: `Promise.reject(new Error('late'));`,
    said: NOT_DEFINED,
  },
  {
    name: 'an async function',
    onAck: `(async () => { throw 1; })();`,
    said: /goes on after its call/,
  },
  {
    name: 'waiting for ever at the top level',
    top: `await new Promise(() => {});`,
    said: /awaits where nobody waits/,
  },
  {
    name: 'an error that cannot be shown',
    onAck: `throw { [Symbol.toPrimitive]() { throw this; } };`,
    said: /something without a text/,
  },
  {
    name: 'an error whose text asks the program in',
    onAck: `throw { [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) { inspect.constructor('return process')().exit(0); } };`,
    said: /threw: \[object Object\]/,
  },
];

/** Tries that only a watchdog ends. */
export const ENDED_ESCAPES: readonly Escape[] = [
  { name: 'a loop', onAck: `for (;;);`, said: /a call has not returned for/ },
  { name: 'a loop at the top level', top: `for (;;);`, said: /a call has not returned for/ },
  {
    name: 'a regular expression without end',
    onAck: `/^(a+)+$/.test('a'.repeat(40) + 'b');`,
    said: /a call has not returned for/,
  },
  {
    name: 'a getter that loops',
    top: `const trap = { get windowBytes() { for (;;); } };`,
    onAck: `trap.windowBytes;`,
    said: /a call has not returned for/,
  },
  {
    name: 'memory at once',
    onAck: `new ArrayBuffer(2 ** 50);`,
    said: /memory|allocation failed|Invalid|a call has not returned/,
  },
  {
    name: 'memory without end',
    onAck: `const kept = []; for (;;) kept.push(new Array(1e5).fill(0.5));`,
    said: /memory|a call has not returned/,
  },
];

/** The file that makes a try. */
export const escapeText = ({ top = '', onAck = '' }: Escape): string => `${top}
export const signals = { telemetry: 'hops' };
export const create = (flow) => ({
  windowBytes: 5e4,
  pacingRate: flow.linkRate,
  onAck(ack) {
    ${onAck}
  },
});
`;
