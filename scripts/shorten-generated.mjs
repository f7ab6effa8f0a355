// Shortens what compilers of interfaces have written: half of it is room between words, which a package of 60 MB has not.
import { transform } from 'esbuild';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes each script of a folder, and of folders in it, shortened at the same place of another one. */
async function shorten(from, to) {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from, { recursive: true }).filter((each) =>
    each.endsWith('.js'),
  )) {
    const { code } = await transform(readFileSync(join(from, name), 'utf8'), { minify: true });
    writeFileSync(join(to, name), code);
  }
}

// The compiler of Thrift writes JavaScript, that of Protobuf TypeScript, which the build has compiled.
await shorten('common/thrift/generated', 'build/common/thrift/generated');
await shorten('build/common/p4runtime/generated', 'build/common/p4runtime/generated');
