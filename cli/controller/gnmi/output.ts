import type { GnmiNotification } from '../../../controller/gnmi/notification';
import { printPath } from '../../../controller/gnmi/path';
import { plainValue } from '../../../controller/gnmi/value';
import { printValue } from '../../../controller/gnmi/value-text';
import { jsonText } from '../output';

/** A notification as lines: `PATH = TYPE:VALUE`, and `PATH deleted`. */
export function notificationLines({ updates, deletes }: GnmiNotification): readonly string[] {
  return [
    ...deletes.map((path) => `${printPath(path)} deleted`),
    ...updates.map(({ path, value }) => `${printPath(path)} = ${printValue(value)}`),
  ];
}

/** A notification for programs: values as JSON has them, and their types. */
export function notificationJson({ timestamp, updates, deletes }: GnmiNotification): object {
  return {
    timestamp: String(timestamp),
    updates: updates.map(({ path, value }) => {
      return { path: printPath(path), type: value.kind, value: plainValue(value) };
    }),
    deletes: deletes.map(printPath),
  };
}

/** One line of JSON, for outputs that go on. */
export const jsonLine = (value: unknown): string =>
  JSON.stringify(JSON.parse(jsonText(value)) as unknown);
