import { escaped, PathText } from './path-text';

/** A node of the tree, and for a list the keys that choose its entry. */
export interface PathElement {
  readonly name: string;
  readonly keys: Readonly<Record<string, string>>;
}

/** A place in the tree of a device. Without elements it is the root. */
export interface GnmiPath {
  /** Whose schema names the elements, as in `openconfig`; empty for the device's default. */
  readonly origin: string;
  /** Name of a device behind a gateway; empty for the one that is connected. */
  readonly target: string;
  readonly elements: readonly PathElement[];
}

/** The characters that end a name; a name that has one writes a backslash before it. */
const NAME_STOPS = '/[]=';

/**
 * Reads `target@origin:/name[key=value]/name`, where target and origin may be left out and `/` is
 * the root (gNMI path conventions; the part before `@` is ours, the specification has no text for
 * targets). A backslash makes any character an ordinary one; in the value of a key only `]` and
 * the backslash need it. Names may be `*` and `...`, as wildcards.
 * @throws InputError naming the offset, what was wanted and what was found.
 */
export function parsePath(text: string): GnmiPath {
  const rest = new PathText(text);
  const path = readPath(rest);
  if (rest.next !== '') throw rest.fault("'/', '[' or the end");
  return path;
}

/**
 * Reads `PATH=VALUE`; the value is everything behind the first `=` outside of brackets.
 * @throws InputError as {@link parsePath} does, also where the value is missing.
 */
export function parseAssignment(text: string): { readonly path: GnmiPath; readonly value: string } {
  const rest = new PathText(text);
  const path = readPath(rest);
  rest.expect('=');
  return { path, value: rest.rest };
}

/** The canonical text: keys by name, backslashes only where they are needed. */
export function printPath({ target, origin, elements }: GnmiPath): string {
  const head = [
    target === '' ? '' : `${escaped(target, '@:/=')}@`,
    origin === '' ? '' : `${escaped(origin, '@:/=')}:`,
  ];
  const body = elements.map((each) => `/${printElement(each)}`);
  return [...head, ...(body.length === 0 ? ['/'] : body)].join('');
}

/** A path below a prefix, which gives origin and target where the path has none. */
export function joinPaths(prefix: GnmiPath, path: GnmiPath): GnmiPath {
  return {
    origin: path.origin === '' ? prefix.origin : path.origin,
    target: path.target === '' ? prefix.target : path.target,
    elements: [...prefix.elements, ...path.elements],
  };
}

function readPath(rest: PathText): GnmiPath {
  const head = readHead(rest);
  const elements: PathElement[] = [];
  rest.expect('/');
  if (rest.next === '' || rest.next === '=') return { ...head, elements };
  do elements.push(readElement(rest));
  while (rest.skip('/'));
  return { ...head, elements };
}

function readHead(rest: PathText): Pick<GnmiPath, 'origin' | 'target'> {
  const first = rest.word('@:/=');
  const target = rest.skip('@') ? nonEmpty(first, 'a target before the @', rest) : '';
  const second = target === '' ? first : rest.word('@:/=');
  const origin = rest.skip(':') ? nonEmpty(second, 'an origin before the colon', rest) : '';
  if (origin === '' && second !== '') throw rest.fault("a path that begins with '/', or a colon");
  return { origin, target };
}

function nonEmpty(word: string, what: string, rest: PathText): string {
  if (word === '') throw rest.fault(what);
  return word;
}

function readElement(rest: PathText): PathElement {
  const name = rest.name(NAME_STOPS, 'a name');
  const keys = new Map<string, string>();
  while (rest.skip('[')) {
    const key = rest.name('=[]', 'the name of a key');
    if (keys.has(key)) throw rest.fault(`key '${key}' only once`);
    rest.expect('=');
    keys.set(key, rest.word(']'));
    rest.expect(']');
  }
  return { name, keys: Object.fromEntries(keys) };
}

function printElement({ name, keys }: PathElement): string {
  const texts = Object.keys(keys)
    .sort()
    .map((key) => `[${escaped(key, '=[]')}=${escaped(keys[key] ?? '', ']')}]`);
  return escaped(name, NAME_STOPS) + texts.join('');
}
