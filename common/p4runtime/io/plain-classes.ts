import { assert } from '../../assert';

/**
 * Makes the plugin's classes keep a property for each field, where the plugin keeps all of them in a list
 * of google-protobuf and looks through that for each access, and read and write by our own reader and writer.
 * PERF: an update of a Write takes a sixth of the time to read or write, and again half of that.
 * @param protobuf path of the folder with reader and writer, from the file that imports them.
 */
export function plainClasses(source: string, protobuf: string): string {
  const [head = '', ...classes] = withoutClient(source).split(/^(?=export class )/m);
  const body = classes.map((text) => writing(reading(keeping(text)))).join('');
  const imports = head.replace(/^import \* as pb_1 .*\n/m, importsFrom(protobuf));
  const plain = imports + (body.includes('NO_BYTES') ? NO_BYTES : '') + body;
  assert(!/pb_1|(read|write|Repeated)Message\(/.test(plain), 'no message is left to the library');
  return plain;
}

/** The client of a service, and the types of its calls. */
const CLIENT =
  /^interface Grp\w+ServiceInterface[^]*?^\}\n|^export class \w+ extends grpc_1[^]*?^\}\n/gm;

/** Messages and service, which need no code of gRPC: a switch's thread that forwards packets loads none. */
const withoutClient = (source: string): string =>
  source.replace(CLIENT, '').replace('import * as grpc_1', 'import type * as grpc_1');

/**
 * The module of the client that goes with a module of messages; undefined where that has no service.
 * @param source as the plugin has written it.
 * @param messages name of the module of messages, beside which it lies.
 */
export function clientModule(source: string, messages: string): string | undefined {
  const client = source.match(CLIENT)?.join('') ?? '';
  if (client === '') return undefined;
  const [head = ''] = source.split(/^import /m);
  const names = [...source.matchAll(/^export (?:abstract )?class (\w+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => new RegExp(`\\b${name}\\b(?! extends)`).test(client));
  const grpc = 'import * as grpc_1 from "@grpc/grpc-js";\n';
  return `${head}${grpc}import { ${names.join(', ')} } from "./${messages}";\n${client}`;
}

const importsFrom = (protobuf: string): string =>
  ['reader', 'writer']
    .map((part) => {
      const name = `Message${part === 'reader' ? 'Reader' : 'Writer'}`;
      return `import { ${name} } from "${protobuf}/message-${part}";\n`;
    })
    .join('');

/** Value of an absent field of bytes; it is empty, so nobody can change it. */
const NO_BYTES = 'const NO_BYTES = new Uint8Array(0);\n';

/** One step of the change: what is looked for, and what takes its place. */
type Step = readonly [RegExp, string | ((...found: string[]) => string)];

const changed = (text: string, steps: readonly Step[]): string =>
  steps.reduce((result, [pattern, by]) => result.replace(pattern, by as string), text);

/** Layout in which a message keeps its fields. */
function keeping(text: string): string {
  const numbers = new Map<string, string>();
  const found =
    /^ {4}get \w+\(\) \{\n +return pb_1\.Message\.get\w+\(.*?(\d+)(?:, .*)?\) (as .*);/gm;
  for (const [, number = '', type = ''] of text.matchAll(found)) {
    numbers.set(number, type.replace(/^as (any as )?/, ''));
  }
  const fields = [...numbers].map(([number, type]) => `    private f${number}?: ${type};\n`);
  return changed(text, [
    [/ extends pb_1\.Message \{\n/, ` {\n${fields.join('')}`],
    [/^ +(static readonly )?#one_of_decls: number.*\n/m, ''],
    [/^ +super\(\);\n +pb_1\.Message\.initialize\(.*\n/m, ''],
    [/any\[\] \| /, ''],
    [/!Array\.isArray\(data\) && /, ''],
    [/static override /, 'static '],
    [/pb_1\.Message\.getFieldWithDefault\(this, (\d+), \[\]\)/g, '(this.f$1 ??= [])'],
    [
      /pb_1\.Message\.getFieldWithDefault\(this, (\d+), new Uint8Array\(0\)\)/g,
      '(this.f$1 ?? NO_BYTES)',
    ],
    [/pb_1\.Message\.getFieldWithDefault\(this, (\d+), (.*)\) as/g, '(this.f$1 ?? $2) as'],
    [/pb_1\.Message\.getRepeatedWrapperField\(this, .*, (\d+)\)/g, '(this.f$1 ??= [])'],
    [/pb_1\.Message\.getWrapperField\(this, .*, (\d+)\)/g, 'this.f$1'],
    [/pb_1\.Message\.getField\(this, (\d+)\)/g, 'this.f$1'],
    [/pb_1\.Message\.set(?:Repeated)?(?:Wrapper)?Field\(this, (\d+), (.*)\);/g, 'this.f$1 = $2;'],
    [
      /^.*pb_1\.Message\.setOneof(?:Wrapper)?Field\(this, (\d+), .*#one_of_decls\[(\d+)\], value\);/gm,
      settingOneOf(text),
    ],
    [/^ +const cases: \{\n[^]*?\} = (\{[^]*?\n {8}\});\n +return cases\[.*\n/gm, whichOneOf],
  ]);
}

/** A new alternative takes the place of the others. */
function settingOneOf(text: string): (...found: string[]) => string {
  const list = /#one_of_decls: number\[\]\[\] = (.*);/.exec(text)?.[1] ?? '[]';
  const alternatives = JSON.parse(list) as number[][];
  return (_, number = '', place = '') => {
    const others = alternatives[Number(place)]?.filter((each) => each !== Number(number)) ?? [];
    const forget = others.map((each) => `this.f${each} = `).join('');
    const set = `        this.f${number} = value;`;
    return others.length === 0 ? set : `        if (value != null) ${forget}undefined;\n${set}`;
  };
}

/** The name of the alternative that is set. */
function whichOneOf(_: string, cases = ''): string {
  const names = cases.matchAll(/(\d+): ("\w+")/g);
  const tests = [...names].flatMap(([, number = '', name = '']) =>
    number === '0' ? [] : [`        if (this.f${number} != null) return ${name};\n`],
  );
  return `${tests.join('')}        return "none";\n`;
}

/** Reading by our own reader, without a function for each message inside. */
const reading = (text: string): string =>
  changed(text, [
    [/pb_1\.BinaryReader/g, 'MessageReader'],
    [/^ +if \(reader\.isEndGroup\(\)\)\n.*\n/gm, ''],
    [/reader\.getFieldNumber\(\)/g, 'reader.field'],
    [
      /pb_1\.Message\.addToRepeatedField\(message, (\d+), (.*)\);/g,
      '(message.f$1 ??= []).push($2);',
    ],
    [
      /reader\.readMessage\(message, \(\) => pb_1\.Map\.\w+\((message\.\w+) as any, .*=> \{\n.*\n.*value = (.*)\.deserialize\(reader\)\);\n.*\n +\}\)\);/g,
      'reader.readEntry($1, $2);',
    ],
    [
      /reader\.readMessage\(message, \(\) => pb_1\.Map\.\w+\((message\.\w+) as any, .*reader\.readString\)\);/g,
      'reader.readTextEntry($1);',
    ],
    [
      /reader\.readMessage\(.*, \(\) => pb_1\.Message\.addToRepeatedWrapperField\(message, (\d+), (.*\.deserialize\(reader\)), .*?\)\);/g,
      inside('reader.enter()', '(message.f$1 ??= []).push($2);', 'reader.leave'),
    ],
    [
      /reader\.readMessage\(.*, \(\) => (message\.\w+ = .*\.deserialize\(reader\))\);/g,
      inside('reader.enter()', '$1;', 'reader.leave'),
    ],
  ]);

/** Writing by our own writer, likewise. */
const writing = (text: string): string =>
  changed(text, [
    [/pb_1\.BinaryWriter/g, 'MessageWriter'],
    [
      /writer\.writeMessage\((\d+), .*, \(\) => (.*\.serialize\(writer\))\);/g,
      inside('writer.begin($1)', '$2;', 'writer.end'),
    ],
    [
      /writer\.writeMessage\((\d+), .*, \(\) => \{\n([^]*?)\n {12}\}\);/g,
      'const place = writer.begin($1);\n$2\n            writer.end(place);',
    ],
    [
      /writer\.writeRepeatedMessage\((\d+), (.*), \(item: .*\) => (item\.serialize\(writer\))\);/g,
      `for (const item of $2) ${inside('writer.begin($1)', '$3;', 'writer.end')}`,
    ],
  ]);

/** A statement that handles a message inside another one. */
const inside = (begin: string, handle: string, end: string): string =>
  `{ const place = ${begin}; ${handle} ${end}(place); }`;
