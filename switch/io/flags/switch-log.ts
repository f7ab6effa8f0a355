import type { LogOptions } from '../../../common/io/log';
import type { SwitchFlags } from './switch-flags';

/** bmv2 appends ".txt" to the name that it is given, and so does this switch. */
export const switchLog = ({ logLevel: level, logToConsole, logFile }: SwitchFlags): LogOptions => ({
  level,
  ...(logToConsole && { console: 1 }),
  ...(logFile !== undefined && { file: `${logFile}.txt` }),
});
