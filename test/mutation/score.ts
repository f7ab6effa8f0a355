/** What this needs of Stryker's report (the mutation testing report schema). */
export interface Report {
  readonly files: Readonly<Record<string, ReportedFile>>;
}

export interface ReportedFile {
  readonly source: string;
  readonly mutants: readonly ReportedMutant[];
}

export interface ReportedMutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
}

/** A mutant that no test can tell from the original, and why. */
export interface Equivalent {
  readonly file: string;
  /** The line of the original, without the spaces around it. */
  readonly line: string;
  readonly replacement: string;
  readonly reason: string;
}

/** A mutant that no test noticed. */
export interface Survivor {
  readonly file: string;
  readonly lineNumber: number;
  readonly line: string;
  readonly mutator: string;
  readonly replacement: string;
}

export interface Score {
  readonly killed: number;
  /** Without those that are equivalent. */
  readonly total: number;
  readonly equivalent: number;
  readonly survivors: readonly Survivor[];
}

const NOTICED: ReadonlySet<string> = new Set(['Killed', 'Timeout']);
/** Mutants in code that runs in no test count as those that survive. */
const UNNOTICED: ReadonlySet<string> = new Set(['Survived', 'NoCoverage']);

/** Mutants that do not compile, or that Stryker was told to leave out, count neither way. */
export function scoreOf(report: Report, equivalents: readonly Equivalent[]): Score {
  const mutants = Object.entries(report.files).flatMap(([file, { source, mutants: all }]) =>
    all.map((mutant) => ({ status: mutant.status, change: describe(file, source, mutant) })),
  );
  const unnoticed = mutants.flatMap(({ status, change }) =>
    UNNOTICED.has(status) ? [change] : [],
  );
  const survivors = unnoticed.filter((one) => !equivalents.some((known) => matches(known, one)));
  const killed = mutants.filter(({ status }) => NOTICED.has(status)).length;
  return {
    killed,
    total: killed + survivors.length,
    equivalent: unnoticed.length - survivors.length,
    survivors,
  };
}

function describe(file: string, source: string, mutant: ReportedMutant): Survivor {
  const { line: lineNumber } = mutant.location.start;
  return {
    file,
    lineNumber,
    line: source.split('\n')[lineNumber - 1]?.trim() ?? '',
    mutator: mutant.mutatorName,
    replacement: mutant.replacement ?? '',
  };
}

const matches = (known: Equivalent, { file, line, replacement }: Survivor): boolean =>
  known.file === file && known.line === line && known.replacement === replacement;

/** In percent; of nothing, all. */
export const percent = ({ killed, total }: Score): number =>
  total === 0 ? 100 : (100 * killed) / total;

/** One line per survivor, to be looked at. */
export const survivorLines = ({ survivors }: Score): readonly string[] =>
  survivors.map(
    ({ file, lineNumber, line, mutator, replacement }) =>
      `${file}:${lineNumber} ${mutator}\n    - ${line}\n    + ${replacement.split('\n')[0] ?? ''}`,
  );
