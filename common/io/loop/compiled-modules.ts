import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import { Module } from 'node:module';
import * as path from 'node:path';
import * as v8 from 'node:v8';
import * as vm from 'node:vm';
import { writeAtomically } from '../atomic-file';
import { WITHOUT_REDUCER } from './idle-collection';

/** Form of the kept file; a number of its own whenever that changes. */
const FORM = 1;

/** Modules that import others while they run need Node's own loader for it. */
const IMPORTS = /\bimport\s*\(/;

/** The code of one module. */
interface KeptModule {
  /** Digest of its text: a module that has changed is compiled anew. */
  readonly digest: string;
  /** The engine's own form, which it refuses where its version or its options are others. */
  readonly code: Buffer;
}

interface Kept {
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

/** Beside the code: whoever may write to the folder chooses what runs. */
const FOLDER = path.join(__dirname, '..', '..', '..', '.cache');

/**
 * Keeps what the engine compiles of the modules of a process that handles packets, or of a thread of it,
 * for the next one: a network starts dozens, and compiling takes half of a start. Kept are the functions
 * that ran until the process ends. A folder that cannot be written to keeps nothing, and a damaged file is
 * as none; both cost time only. From 22.1 on Node.js does it by itself.
 */
export function keepCompiledModules(kind: 'live' | 'reader'): void {
  if (!process.execArgv.includes(WITHOUT_REDUCER)) return;
  const loader = Module as unknown as Loader;
  if (loader.enableCompileCache !== undefined) loader.enableCompileCache(FOLDER);
  else keepIn(FOLDER, kind);
}

/**
 * The same in any folder, for the modules that are loaded from now on.
 * @param kind of process; each has a file of its own.
 * @internal
 */
export function keepIn(folder: string, kind: string): void {
  const loader = Module as unknown as Loader;
  const options = digestOf([process.version, process.arch, ...process.execArgv].join('\n'));
  const file = path.join(folder, `${kind}-${options}.modules`);
  const compiled = new CompiledModules(loader, read(file));
  compiled.enter();
  process.on('exit', () => compiled.save(file));
}

class CompiledModules {
  readonly #loader: Loader;
  readonly #kept: Kept;
  /** Modules that were compiled anew. */
  readonly #fresh: {
    readonly file: string;
    readonly digest: string;
    readonly script: vm.Script;
  }[] = [];

  constructor(loader: Loader, kept: Kept) {
    this.#loader = loader;
    this.#kept = kept;
  }

  /** Takes the place of Node's own reading of modules. */
  enter(): void {
    const loader = this.#loader;
    const { modules, files } = this.#kept;
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
      if (modules.has(file)) this.#run(module, file, fs.readFileSync(file, 'utf8'));
      else {
        const compile = module._compile.bind(module);
        module._compile = (text, name) => {
          if (IMPORTS.test(text)) compile(text, name);
          else this.#run(module, name, text);
        };
        load(module, file);
      }
    };
  }

  #run(module: NodeJS.Module, file: string, text: string): void {
    const digest = digestOf(text);
    const kept = this.#kept.modules.get(file);
    const cachedData = kept?.digest === digest ? kept.code : undefined;
    const script = new vm.Script(this.#loader.wrap(text), { filename: file, cachedData });
    if (cachedData === undefined || script.cachedDataRejected === true) {
      this.#fresh.push({ file, digest, script });
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
  save(file: string): void {
    if (this.#fresh.length === 0) return;
    const { modules, files } = this.#kept;
    for (const { file: name, digest, script } of this.#fresh) {
      modules.set(name, { digest, code: script.createCachedData() });
    }
    const bytes = v8.serialize({ modules, files });
    try {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      writeAtomically(file, Buffer.concat([Buffer.from(digestOf(bytes), 'latin1'), bytes]));
    } catch {
      // The next process compiles again.
    }
  }
}

/** Reads a kept file; nothing is kept where it is missing or damaged. */
function read(file: string): Kept {
  try {
    const all = fs.readFileSync(file);
    const bytes = all.subarray(DIGEST_LENGTH);
    if (all.toString('latin1', 0, DIGEST_LENGTH) === digestOf(bytes)) {
      return v8.deserialize(bytes) as Kept;
    }
  } catch {
    // There is none yet, or it is one of another version of the engine.
  }
  return { modules: new Map(), files: new Map() };
}

const digestOf = (of: string | Uint8Array): string =>
  crypto.createHash('sha1').update(`${FORM}`).update(of).digest('hex');
const DIGEST_LENGTH = digestOf('').length;
