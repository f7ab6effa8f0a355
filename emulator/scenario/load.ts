import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { InputError } from '../../common/errors';
import { scenarioSchema } from './schema';
import type { ScenarioDocument } from './schema';

/** Reads a scenario from YAML or JSON text. Every error names file, line, path and expectation. */
export function parseScenario(text: string, file: string): ScenarioDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const syntax = document.errors[0];
  if (syntax !== undefined) {
    throw new InputError(`${file}:${syntax.linePos?.[0].line ?? 1}: ${syntax.message}`);
  }
  const result = scenarioSchema.safeParse(document.toJS());
  if (result.success) return result.data;
  throw new InputError(result.error.issues.map((issue) => describe(issue)).join('\n'));

  function describe(issue: z.core.$ZodIssue): string {
    const path = issue.path.map(String);
    let node: unknown;
    for (let depth = path.length; node === undefined && depth >= 0; depth--) {
      node = document.getIn(issue.path.slice(0, depth), true);
    }
    const range = (node as { range?: [number, number, number] } | undefined)?.range;
    const line = range === undefined ? 1 : lines.linePos(range[0]).line;
    return `${file}:${line}: ${path.join('.') || 'scenario'}: ${issue.message}`;
  }
}
