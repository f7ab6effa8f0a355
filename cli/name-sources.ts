import * as fs from 'node:fs';
import { SourceMap } from 'node:module';
import * as path from 'node:path';

/** Compiled code in a trace: file, line and column. */
const PLACE = /(\/[^():\n]+\.js):(\d+):(\d+)/g;

/**
 * Makes the trace of a defect, which ends the process, name TypeScript. PERF: the engine's own option for it reads the
 * map of each module that is loaded, an eighth of a start.
 */
export function nameSourcesOfDefects(): void {
  process.on('uncaughtExceptionMonitor', (error: unknown) => {
    if (error instanceof Error && error.stack !== undefined) error.stack = withSources(error.stack);
  });
}

/** A trace with places in the sources of what has maps beside it, as a checkout has; others stay. */
function withSources(trace: string): string {
  return trace.replaceAll(PLACE, (place, file: string, line: string, column: string) => {
    try {
      const map = new SourceMap(
        JSON.parse(fs.readFileSync(`${file}.map`, 'utf8')) as SourceMap['payload'],
      );
      const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
      if (!('originalSource' in entry)) return place;
      return `${path.resolve(path.dirname(file), entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    } catch {
      return place;
    }
  });
}
