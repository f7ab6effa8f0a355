import { workerData } from 'node:worker_threads';
import { keepCompiledModules } from '../../../common/io/loop/compiled-modules';
import type { serveDoors } from './door-service';
import type { DoorThreadData } from './messages';

keepCompiledModules('doors');
/** Loaded here, so that it is kept compiled. */
const serve = (): typeof serveDoors =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- PERF: an import would be loaded before
  (require('./door-service') as typeof import('./door-service')).serveDoors;

serve()(workerData as DoorThreadData);
