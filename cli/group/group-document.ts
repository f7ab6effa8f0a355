import { z } from 'zod';
import { parseLocated } from '../../common/document/located-document';
import { readTextFile } from '../../common/io/bounded-file';
import { InputError } from '../../common/errors';
import { NODE_COMMANDS } from './node-command';

/** One node of a group: the program that runs under a name. */
export const nodeSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must be at most 64 letters, digits, dots, - or _')
    .describe('Told apart by it, unique in the group.'),
  run: z.array(z.string()).min(1).describe('What would follow hpcc: switch, agent or send first.'),
  namespace: z
    .string()
    .optional()
    .describe("File of a network namespace, as /run/netns/NAME; the group's own unless given."),
  stdout: z.string().optional().describe('File; part of the output of the group unless given.'),
  stderr: z.string().optional().describe('File, which may be the same.'),
});

const groupSchema = z.strictObject({ nodes: z.array(nodeSchema).min(1) });

export type NodeDocument = z.infer<typeof nodeSchema>;

/** Returns the reason why a node cannot run; undefined when it can. */
export function nodeFault({ name, run: [command = ''] }: NodeDocument): string | undefined {
  if (NODE_COMMANDS.has(command)) return undefined;
  const known = [...NODE_COMMANDS.keys()].join(', ');
  return `node ${name}: a group runs ${known}, not '${command}'`;
}

/**
 * Reads a group from YAML or JSON.
 * @throws InputError naming file, line and what is wrong there.
 */
export function readGroup(file: string): readonly NodeDocument[] {
  const { value, fault } = parseLocated(textOf(file), file, groupSchema, 'the group');
  const names = new Set<string>();
  value.nodes.forEach((node, i) => {
    if (names.has(node.name)) {
      throw fault(['nodes', i, 'name'], `there is another node ${node.name}`);
    }
    names.add(node.name);
    const wrong = nodeFault(node);
    if (wrong !== undefined) throw fault(['nodes', i, 'run'], wrong);
  });
  return value.nodes;
}

function textOf(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    throw new InputError(`group ${file} cannot be read: ${(error as Error).message}`);
  }
}
