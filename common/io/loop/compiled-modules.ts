import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import { Module } from 'node:module';
import * as path from 'node:path';
import * as v8 from 'node:v8';
import * as vm from 'node:vm';
import { writeAtomically } from '../atomic-file';
import { letPacketsPass } from '../packets-first';
import { keptFolder, openKept, removeOldest } from './kept-files';
import { underFirstFlags } from './optimising';

/** Form of the kept file; a number of its own whenever that changes. */
const FORM = 4;

/** Modules that import others while they run need Node's own loader for it. */
const IMPORTS = /\bimport\s*\(/;

/** A module's text, with its digest. */
interface ModuleText {
  readonly file: string;
  readonly text: string;
  readonly digest: string;
}

/** Where the code of one module lies in the kept file. */
interface KeptModule {
  /** Digest of its text: a module that has changed is compiled anew. */
  readonly text: string;
  /** Digest of its code, which is the engine's own form. */
  readonly code: string;
  readonly start: number;
  readonly length: number;
}

/** The kept file is a digest and the length of the index, the index, and the code of all modules. */
interface Index {
  readonly modules: Map<string, KeptModule>;
  /** Files that relative names stand for, by folder and name. */
  readonly files: Map<string, string>;
}

/** Parts of Node's loader that its type declarations leave out. */
interface Loader {
  _resolveFilename(
    name: string,
    parent: NodeJS.Module | undefined,
    isMain: boolean,
    o?: object,
  ): string;
  readonly _extensions: Record<string, (module: LoadedModule, file: string) => void>;
  readonly _cache: object;
  wrap(text: string): string;
  enableCompileCache?(folder: string): unknown;
}

type LoadedModule = NodeJS.Module & { _compile(text: string, file: string): void };
/** A module as a function of exports, require, module, file and folder. */
type Wrapper = (...values: readonly unknown[]) => void;

/** Files of one kind of process, which differ by options of the engine. */
const FILES_MAX = 8;

/**
 * Keeps what the engine compiles of the modules of a process, or of a thread of it, for the next one: compiling takes
 * half of a start. Kept are the functions that ran until the process ends. A folder that cannot be written to keeps
 * nothing, and a damaged file is as none; both cost time only. From 22.1 on Node.js does it by itself.
 * @param kind of process; each has a file of its own.
 */
export function keepCompiledModules(kind: string, folder = keptFolder()): void {
  if (folder === undefined) return;
  const loader = Module as unknown as Loader;
  if (loader.enableCompileCache !== undefined) loader.enableCompileCache(folder);
  else keepIn(folder, kind);
}

/** @internal */
export function keepIn(folder: string, kind: string): void {
  const loader = Module as unknown as Loader;
  const options = digestOf(
    [FORM, process.version, process.arch, __dirname, ...process.execArgv].join('\n'),
  );
  const file = path.join(folder, `${kind}-${options}.modules`);
  const compiled = new CompiledModules(loader, new KeptFile(file));
  compiled.enter();
  process.on('exit', () => compiled.save());
}

class CompiledModules {
  readonly #loader: Loader;
  readonly #kept: KeptFile;
  /** Modules that were compiled anew. */
  readonly #fresh: { readonly file: string; readonly text: string; readonly script: vm.Script }[] =
    [];

  constructor(loader: Loader, kept: KeptFile) {
    this.#loader = loader;
    this.#kept = kept;
  }

  /** Takes the place of Node's own reading of modules. */
  enter(): void {
    const loader = this.#loader;
    const { modules, files } = this.#kept.index;
    const findFile = loader._resolveFilename.bind(loader);
    loader._resolveFilename = (name, parent, isMain, o) => {
      // What a package's name stands for changes with installations; names of neighbours do not.
      const from = parent?.path;
      if (o !== undefined || from === undefined || !name.startsWith('.')) {
        return findFile(name, parent, isMain, o);
      }
      const place = `${from}\0${name}`;
      const known = files.get(place);
      if (known !== undefined && fs.existsSync(known)) return known;
      const found = findFile(name, parent, isMain, o);
      files.set(place, found);
      return found;
    };
    const extensions = loader._extensions;
    const load = extensions['.js'] as (module: LoadedModule, file: string) => void;
    extensions['.js'] = (module, file) => {
      // Those of a server are loaded with its first client, dozens at once.
      letPacketsPass();
      const kept = modules.get(file);
      const text = kept && fs.readFileSync(file, 'utf8');
      const digest = text === undefined ? undefined : digestOf(text);
      if (text !== undefined && digest !== undefined && digest === kept?.text) {
        this.#run(module, { file, text, digest });
      } else {
        const compile = module._compile.bind(module);
        module._compile = (text, name) => {
          if (IMPORTS.test(text)) compile(text, name);
          else this.#run(module, { file: name, text, digest: digestOf(text) });
        };
        load(module, file);
      }
    };
  }

  #run(module: NodeJS.Module, { file, text, digest }: ModuleText): void {
    const cachedData = this.#kept.codeOf(file, digest);
    const options = { filename: file, cachedData };
    const script = underFirstFlags(() => new vm.Script(this.#loader.wrap(text), options));
    if (cachedData === undefined || script.cachedDataRejected === true) {
      this.#fresh.push({ file, text: digest, script });
    }
    const run = script.runInThisContext() as Wrapper;
    run.call(module.exports, module.exports, this.#require(module), module, file, module.path);
  }

  #require(module: NodeJS.Module): NodeJS.Require {
    const loader = this.#loader;
    const find = (name: string, o?: object): string =>
      loader._resolveFilename(name, module, false, o);
    const own = (name: string): unknown => module.require(name);
    return Object.assign(own, {
      resolve: Object.assign(find, {
        paths: (name: string) => require.resolve.paths(name),
      }),
      main: require.main,
      extensions: loader._extensions,
      cache: loader._cache,
    }) as unknown as NodeJS.Require;
  }

  /** Writes the file anew if modules were compiled. */
  save(): void {
    // Making the code takes as long as a short command runs.
    if (this.#fresh.length === 0 || !this.#kept.isWritable()) return;
    underFirstFlags(() => {
      const fresh = this.#fresh.map(({ file, text, script }) => ({
        file,
        text,
        code: script.createCachedData(),
      }));
      try {
        this.#kept.write(fresh);
      } catch {
        // The next process compiles again.
      }
    });
  }
}

/** Bytes before the index: its digest and its length. */
const DIGEST_LENGTH = 40;
const INDEX_AT = DIGEST_LENGTH + 4;

/** A file of compiled modules. PERF: code is read module by module, as the whole would stay in memory. */
class KeptFile {
  readonly index: Index;
  readonly #file: string;
  readonly #codeAt: number;
  readonly #descriptor: number | undefined;
  /** PERF: no longer than modules are loaded; a process that has begun does without. */
  #room = new WeakRef(Buffer.alloc(0));

  /** Nothing is kept where the file is missing or damaged. */
  constructor(file: string) {
    this.#file = file;
    let index: Index = { modules: new Map(), files: new Map() };
    let codeAt = 0;
    try {
      this.#descriptor = openKept(file);
      if (this.#descriptor === undefined) throw new Error('there is none');
      const head = this.#read(0, INDEX_AT);
      const length = head.readUInt32LE(DIGEST_LENGTH);
      const digest = head.toString('latin1', 0, DIGEST_LENGTH);
      const bytes = this.#read(INDEX_AT, Math.min(length, fs.fstatSync(this.#descriptor).size));
      if (digestOf(bytes) === digest) index = v8.deserialize(bytes) as Index;
      codeAt = INDEX_AT + length;
    } catch {
      // There is none yet.
    }
    this.index = index;
    this.#codeAt = codeAt;
  }

  /** The code of a module with that digest of its text. */
  codeOf(file: string, text: string): Buffer | undefined {
    const kept = this.index.modules.get(file);
    if (kept?.text !== text) return undefined;
    const code = this.#read(this.#codeAt + kept.start, kept.length);
    return digestOf(code) === kept.code ? code : undefined;
  }

  /** Bytes of the file until the next read; fewer behind its end. */
  #read(at: number, length: number): Buffer {
    if (this.#descriptor === undefined) return Buffer.alloc(0);
    const room = this.#roomOf(length);
    const count = fs.readSync(this.#descriptor, room, 0, length, at);
    return room.subarray(0, count);
  }

  #roomOf(length: number): Buffer {
    const known = this.#room.deref();
    if (known !== undefined && known.length >= length) return known;
    const room = Buffer.allocUnsafeSlow(2 * length);
    this.#room = new WeakRef(room);
    return room;
  }

  isWritable(): boolean {
    const folder = path.dirname(this.#file);
    try {
      fs.mkdirSync(folder, { recursive: true });
      fs.accessSync(folder, fs.constants.W_OK);
      return true;
    } catch {
      return false;
    }
  }

  /** Writes the file with these modules too, and without those that are no more. */
  write(fresh: readonly { file: string; text: string; code: Buffer }[]): void {
    const modules = new Map<string, KeptModule>();
    const codes: Buffer[] = [];
    let start = 0;
    const add = (file: string, text: string, code: Buffer): void => {
      modules.set(file, { text, code: digestOf(code), start, length: code.length });
      codes.push(code);
      start += code.length;
    };
    const isFresh = new Set(fresh.map(({ file }) => file));
    for (const [file, { text }] of this.index.modules) {
      const code = isFresh.has(file) || !fs.existsSync(file) ? undefined : this.codeOf(file, text);
      if (code !== undefined) add(file, text, Buffer.from(code));
    }
    for (const { file, text, code } of fresh) add(file, text, code);
    const index = v8.serialize({ modules, files: this.index.files });
    const head = Buffer.alloc(INDEX_AT);
    head.write(digestOf(index), 'latin1');
    head.writeUInt32LE(index.length, DIGEST_LENGTH);
    writeAtomically(this.#file, Buffer.concat([head, index, ...codes]));
    removeOldest(this.#file, FILES_MAX);
  }
}

/** PERF: that in one call, which 20.12 has, takes half as long for hundreds of modules. */
const digestOf: (of: string | Uint8Array) => string =
  (crypto as Partial<typeof crypto>).hash === undefined
    ? (of) => crypto.createHash('sha1').update(of).digest('hex')
    : (of) => crypto.hash('sha1', of, 'hex');
