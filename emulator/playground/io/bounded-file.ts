/** Stands for `common/io/bounded-file` in the playground's bundle: files in memory are as long as they are. */
export { readFileSync as readTextFile } from './files';
