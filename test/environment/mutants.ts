import * as fs from 'node:fs';
import { Module } from 'node:module';

/** A fault in the live code that the simulation must find. */
export interface Mutant {
  readonly name: string;
  /** Below the build. */
  readonly file: string;
  /** Text of the source, and the text that replaces it. */
  readonly text: string;
  readonly instead: string;
  /** A seed that finds it. */
  readonly seed: number;
}

/** Faults that stand for kinds of them: what is lost, mistaken, kept, or never tried again. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a port is down when the kernel does not answer',
    file: 'switch/io/port-source.js',
    text: 'if (link === undefined)',
    instead: 'if (link === undefined) carriers.set(port.interfaceName, false);\nif (!link)',
    seed: 1,
  },
  {
    name: 'an answer of the kernel is taken for that of another question',
    file: 'common/io/net/link-table.js',
    text: '(answer) === this.#sequence',
    instead: '(answer) >= 0',
    seed: 10,
  },
  {
    name: 'a socket stays at the interface that was deleted',
    file: 'common/io/net/interface-socket.js',
    text: 'if (index === this.#socket.index)',
    instead: 'if (index > 0)',
    seed: 7,
  },
  {
    name: 'a full disk ends the switch',
    file: 'switch/io/live/pcap-file.js',
    text: 'catch {\n            this.#break();',
    instead: 'catch (error) {\n            throw error;',
    seed: 8,
  },
  {
    name: 'a controller does not try again',
    file: 'controller/p4runtime/keeper.js',
    text: 'await this.lost(error);',
    instead: "return { kind: 'stopped' };",
    seed: 21,
  },
  {
    name: 'a primary that has gone stays primary',
    file: 'switch/server/roles/election.js',
    text: 'this.bids.delete(client);\n        if (this.primary',
    instead: 'if (this.primary',
    seed: 19,
  },
  {
    name: 'bytes that come twice are delivered twice',
    file: 'host-agent/transport/receiving/receiver.js',
    text: 'Math.max(0, sequence + length - this.#expected)',
    instead: 'length',
    seed: 9,
  },
  {
    name: 'a log whose disk is full stays open',
    file: 'common/io/log.js',
    text: 'if (stream.destroyed !== true)',
    instead: 'if (stream.destroyed === 1)',
    seed: 5,
  },
  {
    name: 'a socket that cannot be made whole keeps its memory',
    file: 'common/io/net/packet-socket.js',
    text: 'this.#release();\n            throw error;',
    instead: 'throw error;',
    seed: 13,
  },
  {
    name: 'a switch that cannot start keeps its sockets',
    file: 'switch/io/start-switch.js',
    text: 'await stop();\n        throw error;',
    instead: 'throw error;',
    seed: 15,
  },
  {
    name: 'a host whose link is down waits for nothing',
    file: 'host-agent/io/live/live-host.js',
    text: 'if (handled === 0 &&',
    instead: 'if (handled < 0 &&',
    seed: 13,
  },
  {
    name: 'a pause to any address is obeyed',
    file: 'common/wire/ip/mac-control.js',
    text: '(bytes, 0) !== DESTINATION',
    instead: '(bytes, 0) === 0',
    seed: 9,
  },
  {
    name: 'what a store shows counts unseen',
    file: 'emulator/study/summary-fault.js',
    text: 'return reason === undefined ?',
    instead: 'return reason !== 7 ?',
    seed: 11,
  },
  {
    name: 'a store that says nothing is waited for',
    file: 'emulator/study/io/kept-results.js',
    text: 'Promise.race([use(late.signal), over])',
    instead: 'use(late.signal)',
    seed: 58,
  },
];

type Loader = (
  module: Module & { _compile(text: string, file: string): void },
  file: string,
) => void;

/**
 * Plants a fault in what is loaded from now on.
 * @throws Error when there is no such fault, or when its place has changed and cannot be found.
 */
export function plant(name: string): void {
  const mutant = MUTANTS.find((each) => each.name === name);
  if (mutant === undefined) throw new Error(`no fault is called '${name}'`);
  const { file, text, instead } = mutant;
  const { _extensions: loaders } = Module as unknown as { _extensions: Record<string, Loader> };
  const load = loaders['.js'] as Loader;
  loaders['.js'] = (module, path) => {
    if (!path.endsWith(`/${file}`)) {
      load(module, path);
      return;
    }
    const source = fs.readFileSync(path, 'utf8');
    if (!source.includes(text)) throw new Error(`${file} has no '${text}' any more`);
    module._compile(source.replace(text, instead), path);
  };
}
