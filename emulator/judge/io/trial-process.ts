/**
 * Process that runs scenarios under somebody's algorithm, one after the other on its parent's order: an algorithm
 * that hangs ends this process, by the watchdog over its calls, and not the judge.
 */
import { keepCompiledModules } from '../../../common/io/loop/compiled-modules';
import { KEPT_FOLDER } from '../../../common/io/loop/kept-files';
import type { serveTrials } from './trial-service';

keepCompiledModules('trial', KEPT_FOLDER);
/** Loaded here, so that it is kept compiled. */
const serve = (): typeof serveTrials =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- PERF: an import would be loaded before
  (require('./trial-service') as typeof import('./trial-service')).serveTrials;

serve()();
