import * as fs from 'node:fs';
import { InputError } from '../../common/errors';
import { NetworkNamespace } from '../../common/io/net/network-namespace';
import type { RunSignal, Environment } from '../../common/io/environment';
import type { NodeDocument } from './group-document';
import { runNodeCommand } from './node-command';

/** Exit code or signal with which a node has ended; one of them is null. */
export interface NodeEnd {
  readonly exitCode: number | null;
  /** Signal that ended a node which did not end when it was asked to. */
  readonly signal: 'SIGKILL' | null;
}

/** Takes what a node writes that has no file for it. */
export type NodeOutput = (node: string, stream: 1 | 2, text: string) => void;

/** Descriptors of standard output and standard error where they are files. */
interface OutputFiles {
  readonly 1: number | undefined;
  readonly 2: number | undefined;
}

/** One switch or host of a group, with what a process of its own would give it. */
export class Node {
  readonly ended: Promise<NodeEnd>;
  /** Later than that for a node which would not end: when it holds nothing any more. */
  readonly gone: Promise<void>;
  readonly #document: NodeDocument;
  readonly #files: OutputFiles;
  readonly #output: NodeOutput;
  readonly #listeners = new Map<RunSignal, Set<() => void>>();
  /** Signals that nobody has waited for yet. */
  readonly #waiting = new Set<RunSignal>();
  #exitCode = 0;
  #finish: (end: NodeEnd) => void = () => undefined;
  #letGo: () => void = () => undefined;

  /** @throws InputError when a file of it cannot be written. */
  constructor(document: NodeDocument, output: NodeOutput) {
    this.#document = document;
    this.#output = output;
    this.#files = this.#openFiles();
    this.ended = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.gone = new Promise((resolve) => {
      this.#letGo = resolve;
    });
  }

  /** Runs it to its end; to be called once. */
  async run(): Promise<void> {
    let network: NetworkNamespace | undefined;
    try {
      const { namespace } = this.#document;
      network = namespace === undefined ? NetworkNamespace.own() : NetworkNamespace.open(namespace);
      await runNodeCommand(this.#document.run, this.#environment(network));
    } catch (error) {
      this.#write(2, `hpcc: node ${this.#document.name}: ${(error as Error).message}\n`);
      this.#exitCode = 1;
    }
    network?.close();
    for (const fd of new Set([this.#files[1], this.#files[2]])) {
      if (fd !== undefined) fs.closeSync(fd);
    }
    this.#finish({ exitCode: this.#exitCode, signal: null });
    this.#letGo();
  }

  /** One that is not wanted yet, because the node only begins, is heard later. */
  signal(signal: RunSignal): void {
    const listeners = this.#listeners.get(signal);
    if (listeners === undefined) this.#waiting.add(signal);
    else for (const act of [...listeners]) act();
  }

  /** Nobody waits for it any longer. */
  abandon(): void {
    this.signal('SIGTERM');
    this.#finish({ exitCode: null, signal: 'SIGKILL' });
  }

  #environment(network: NetworkNamespace): Environment {
    return {
      write: (stream, text) => this.#write(stream, text),
      onSignal: (signal, act) => this.#listen(signal, act),
      setExitCode: (code) => {
        this.#exitCode = code;
      },
      network,
      isShared: true,
    };
  }

  #listen(signal: RunSignal, act: () => void): () => void {
    const listeners = this.#listeners.get(signal) ?? new Set();
    this.#listeners.set(signal, listeners.add(act));
    if (this.#waiting.delete(signal)) queueMicrotask(() => this.signal(signal));
    return () => void listeners.delete(act);
  }

  #openFiles(): OutputFiles {
    const { stdout, stderr } = this.#document;
    const first = this.#open(stdout);
    try {
      return { 1: first, 2: stderr === stdout ? first : this.#open(stderr) };
    } catch (error) {
      if (first !== undefined) fs.closeSync(first);
      throw error;
    }
  }

  #open(file: string | undefined): number | undefined {
    if (file === undefined) return undefined;
    try {
      return fs.openSync(file, 'w');
    } catch (error) {
      const reason = (error as Error).message;
      throw new InputError(`node ${this.#document.name}: ${file} cannot be written: ${reason}`);
    }
  }

  #write(stream: 1 | 2, text: string): void {
    const fd = this.#files[stream];
    if (fd === undefined) {
      this.#output(this.#document.name, stream, text);
      return;
    }
    try {
      fs.writeSync(fd, text);
    } catch {
      // A full disk is no reason to stop what the text is about.
    }
  }
}
