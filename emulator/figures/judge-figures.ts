import { count, data, ratio, time } from './figure';
import type { FigureTable } from './figure';

/** Figures of `hpcc algorithm judge`, by their keys below `judge`. */
export const JUDGE_FIGURES: FigureTable = {
  'judge.completion': ratio(
    'completion over the shortest',
    'Time until all flows were complete over that of the quickest algorithm: geometric mean over contests.',
    { digits: 4, short: 'completion', better: 'less', absent: 'no contest was finished' },
  ),
  'judge.queueP99Bytes': data(
    'mean p99 queue',
    "Mean over contests of the 99th percentile of the bottleneck's queue.",
    { better: 'less', absent: 'no contest was finished' },
  ),
  'judge.failed': count(
    'contests',
    'contests without figures',
    'Contests that were not finished, and that means leave out.',
    { short: 'unfinished contests', better: 'less' },
  ),
  'judge.fctMaxUs': time('all complete', 'When the last flow was complete.', {
    better: 'less',
    absent: 'some flow was not complete',
  }),
};
