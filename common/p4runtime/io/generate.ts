import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../../errors';
import { repositoryRoot } from '../../io/repository';
import { clientModule, plainClasses } from './plain-classes';
import { schemaSource } from './schema-source';

/** The protocol files, relative to common/p4runtime/proto, in the order in which they are read. */
const PROTOCOL_FILES = [
  'google/protobuf/any.proto',
  'google/rpc/status.proto',
  'p4/bm/dataplane_interface.proto',
  'p4/config/v1/p4info.proto',
  'p4/config/v1/p4types.proto',
  'p4/v1/p4data.proto',
  'p4/v1/p4runtime.proto',
];

/** Protocols beside P4Runtime: message classes only, for they have no text form. */
const OTHER_FILES = ['gnmi/gnmi.proto'];

/**
 * Generates the TypeScript of our protocol files into `outDir`: one file of message classes per
 * protocol file, and schema.ts for the text and JSON forms. The result depends on the protocol
 * files and on the version of the npm plugin alone, not on that of protoc.
 * @throws InputError when protoc is missing or refuses the files.
 */
export function generateProtocol(outDir: string): void {
  const root = repositoryRoot();
  const protoDir = path.join(root, 'common/p4runtime/proto');
  const plugin = path.join(root, 'node_modules/protoc-gen-ts/protoc-gen-ts.js');
  const descriptors = path.join(outDir, 'descriptors.bin');
  fs.mkdirSync(outDir, { recursive: true });
  const common = [
    `--proto_path=${protoDir}`,
    `--plugin=protoc-gen-ts=${plugin}`,
    `--ts_out=${outDir}`,
    '--ts_opt=target=node,no_namespace,explicit_override,json_names',
  ];
  runProtoc([...common, `--descriptor_set_out=${descriptors}`, ...PROTOCOL_FILES]);
  runProtoc([...common, ...OTHER_FILES]);
  for (const file of [...PROTOCOL_FILES, ...OTHER_FILES]) {
    const generated = path.join(outDir, file.replace(/\.proto$/, '.ts'));
    const source = adapted(fs.readFileSync(generated, 'utf8'));
    const protobuf = `${'../'.repeat(file.split('/').length + 1)}protobuf`;
    fs.writeFileSync(generated, plainClasses(source, protobuf));
    const client = clientModule(source, path.basename(file, '.proto'));
    if (client !== undefined) fs.writeFileSync(generated.replace(/\.ts$/, '-client.ts'), client);
  }
  fs.writeFileSync(path.join(outDir, 'schema.ts'), schemaSource(fs.readFileSync(descriptors)));
  fs.rmSync(descriptors);
}

function runProtoc(args: readonly string[]): void {
  try {
    execFileSync('protoc', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const { code, stderr } = error as { code?: string; stderr?: Buffer };
    if (code === 'ENOENT') {
      throw new InputError('protoc is not on PATH; Debian has it in protobuf-compiler');
    }
    throw new InputError(`protoc failed: ${String(stderr ?? error).trim()}`);
  }
}

const UNCHECKED =
  "// @ts-nocheck The plugin's text is looser than this project's compiler options.";

/**
 * Two changes make the plugin's text fit. The plugin's types are looser than our compiler options,
 * so the files are exempt from checking, though their declarations still type their users. And
 * google-protobuf 4 replaced the readers of packed fields that the plugin calls by readers that
 * append to a list and take the unpacked form too.
 */
function adapted(source: string): string {
  const packed = /message\.(\w+) = reader\.readPacked(\w+)\(\);/g;
  const readers = source.replace(packed, (_, field: string, type: string) =>
    [
      `const ${field} = message.${field};`,
      `reader.readPackable${type}Into(${field});`,
      `message.${field} = ${field};`,
    ].join(' '),
  );
  const withoutVersions = readers.replace(/^ \* (compiler version|protoc).*\n/gm, '');
  return `${UNCHECKED}\n${withoutVersions}`;
}
