/**
 * Process that runs cells one after the other on its parent's order, so that a cell that takes all memory or never
 * ends harms no other.
 */
import { keepCompiledModules } from '../../../common/io/loop/compiled-modules';
import { KEPT_FOLDER } from '../../../common/io/loop/kept-files';
import type { serveCells } from './cell-service';

keepCompiledModules('cell', KEPT_FOLDER);
/** Loaded here, so that it is kept compiled. */
const serve = (): typeof serveCells =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- PERF: an import would be loaded before
  (require('./cell-service') as typeof import('./cell-service')).serveCells;

serve()();
