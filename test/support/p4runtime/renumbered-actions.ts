interface JsonTable {
  action_ids: number[];
  default_entry?: { action_id: number };
  entries?: { action_entry: { action_id: number } }[];
}

interface JsonProgram {
  program: string;
  actions: { id: number }[];
  pipelines: { tables: JsonTable[]; action_calls?: { action_id: number }[] }[];
}

/** The program under another name and with other numbers of actions, as p4c might make it anew. */
export function renumberedActions(json: string): string {
  const program = JSON.parse(json) as JsonProgram;
  const shifted = (id: number): number => id + 70;
  program.program = 'another';
  for (const action of program.actions) action.id = shifted(action.id);
  for (const { tables, action_calls: calls = [] } of program.pipelines) {
    for (const call of calls) call.action_id = shifted(call.action_id);
    for (const table of tables) {
      table.action_ids = table.action_ids.map(shifted);
      const entries = (table.entries ?? []).map((each) => each.action_entry);
      if (table.default_entry !== undefined) entries.push(table.default_entry);
      for (const entry of entries) entry.action_id = shifted(entry.action_id);
    }
  }
  return JSON.stringify(program);
}
