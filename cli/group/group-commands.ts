import { z } from 'zod';
import { firstSchemaFault } from '../../common/document/schema-faults';
import { InputError } from '../../common/errors';
import { nodeSchema } from './group-document';
import type { NodeGroup } from './node-group';

const commandSchema = z.union([
  z.strictObject({ start: nodeSchema }),
  z.strictObject({
    signal: z.enum(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL']),
    node: z.string(),
  }),
]);

/**
 * Does what a line of JSON says: `{"start": NODE}` or `{"signal": "SIGTERM", "node": NAME}`.
 * @throws InputError naming the node, or what the line lacks.
 */
export function obey(line: string, group: NodeGroup): void {
  const command = commandOf(line);
  if ('start' in command) group.start(command.start);
  else group.signal(command.node, command.signal);
}

function commandOf(line: string): z.infer<typeof commandSchema> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new InputError(`wanted a command as JSON: ${(error as Error).message}`);
  }
  const result = commandSchema.safeParse(value);
  if (result.success) return result.data;
  const start = (value as { start?: { name?: unknown } } | null)?.start;
  if (start === undefined) {
    throw new InputError('wanted {"start": NODE} or {"signal": SIGNAL, "node": NAME}');
  }
  const { error } = nodeSchema.safeParse(start);
  const name = typeof start?.name === 'string' ? start.name : 'without a name';
  throw new InputError(
    `node ${name}: ${error === undefined ? 'is none' : firstSchemaFault(error)}`,
  );
}
