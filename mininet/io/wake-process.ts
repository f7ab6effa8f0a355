import { takeShortSlices } from '../../common/io/loop/thread-priority';
import { takeNicenessOfRuns } from './session-priority';
import { wakeLatenessUs } from './wake-lateness';

takeNicenessOfRuns();
takeShortSlices();
process.stdout.write(String(wakeLatenessUs()));
