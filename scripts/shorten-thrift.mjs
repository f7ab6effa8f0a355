// Shortens what the Thrift compiler has written: half of it is room between words, which a package of 60 MB has not.
import { transform } from 'esbuild';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const from = 'common/thrift/generated';
const to = 'build/common/thrift/generated';
mkdirSync(to, { recursive: true });
for (const name of readdirSync(from).filter((each) => each.endsWith('.js'))) {
  const { code } = await transform(readFileSync(`${from}/${name}`, 'utf8'), { minify: true });
  writeFileSync(`${to}/${name}`, code);
}
