import { ONLY_CASE } from '../experiment/load-experiment';
import type { SwitchKind } from '../experiment/switch-kinds';
import { pathTable } from '../figures/int-figures';
import { barTable, figureTable, machineText, verdictText } from '../figures/words';
import { alignedTable, print } from '../../common/io/terminal';
import type { ExperimentEnd } from './run-experiment';

/** An experiment that has run on one kind of switch. */
export interface KindEnd {
  readonly kind: SwitchKind;
  readonly end: ExperimentEnd;
}

/** Prints figures, bars, and the validity of the run. */
export function printEnd({ kind, end }: KindEnd): void {
  const { names, results, bars, pages, carriedMbps, emulated, notEmulated, advice } = end;
  if (results.length === 0) return;
  const runs = results.map((result, i) => [nameOf(kind, names[i]), result] as const);
  // More columns than two are for the page.
  const twins = runs.length === 1 ? emulated : [];
  const columns = runs.flatMap(([name, { figures }], i) => [
    [name, figures] as const,
    ...twins.slice(i, i + 1).map((twin) => [twin.name, twin.figures] as const),
  ]);
  print(alignedTable(figureTable(new Map(columns))));
  if (notEmulated !== undefined) print(`\nno emulated twin: ${notEmulated}`);
  for (const [, { toldPaths }] of runs) {
    if (toldPaths !== undefined) print(`\n${alignedTable(pathTable(toldPaths))}`);
  }
  if (bars.length > 0) print(`\n${alignedTable(barTable(bars))}`);
  for (const [name, result] of runs) {
    print(`\n${name}: ${verdictText(result)}\n  ${machineText(result)}`);
  }
  if (advice !== undefined) print(`\nbars missed: ${advice}`);
  if (carriedMbps !== null) print(`\n${kind}: carries ${carriedMbps} Mb/s`);
  print(`\nreport: ${pages.join('\n        ')}`);
}

const nameOf = (kind: SwitchKind, name = ONLY_CASE): string => (name === ONLY_CASE ? kind : name);

/** Prints the highest rates that both switches carried, side by side. */
export function printCarried(ends: readonly KindEnd[]): void {
  const known = ends.filter(({ end }) => end.carriedMbps !== null);
  if (known.length === 0) return;
  const rows = known.map(({ kind, end }) => [kind, `${end.carriedMbps ?? 0} Mb/s`]);
  print(`\n${alignedTable([['highest rate carried', ''], ...rows])}`);
}

/** The same for programs. */
export function documentOf({ kind, end }: KindEnd): object {
  const { results, bars, pages, carriedMbps, interrupted, notEmulated } = end;
  const runs = results.map(
    ({ scenario, machine, figures, parameters, uncontrolled, toldPaths }) => ({
      title: scenario.title,
      parameters,
      figures,
      machine,
      ...(toldPaths !== undefined && { toldPaths }),
      ...(uncontrolled !== undefined && { uncontrolled }),
    }),
  );
  const emulated = end.emulated.map(({ name, figures }) => ({ name, figures }));
  return { switch: kind, runs, emulated, notEmulated, bars, carriedMbps, interrupted, pages };
}
