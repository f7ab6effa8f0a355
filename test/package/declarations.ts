import * as fs from 'node:fs';
import * as path from 'node:path';
import * as ts from 'typescript';
import { ROOT } from '../support/paths';

/** One name of a part of the package, as the compiler's declaration file has it. */
interface Declaration {
  readonly name: string;
  readonly file: string;
  /** Its doc comment. */
  readonly comment: string;
  /** Names of types that the declaration mentions. */
  readonly mentions: ReadonlySet<string>;
}

/** A part of the package, which a subpath names. */
export interface ApiPart {
  readonly name: string;
  readonly declarations: readonly Declaration[];
}

/** The parts of the package in the order of the manifest, read from the declarations in the build. */
export function apiParts(): ApiPart[] {
  const manifest = fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8');
  const { exports } = JSON.parse(manifest) as {
    exports: Record<string, string | { readonly types: string }>;
  };
  return Object.entries(exports).flatMap(([name, target]) =>
    typeof target === 'string' ? [] : [readPart(name.slice('./'.length), target.types)],
  );
}

/**
 * Types that a part mentions and does not export, so that nobody can name them: `part: name`. What
 * comes from other packages is theirs, and messages of P4Runtime are the protocol's.
 */
export function unnameable({ name: part, declarations }: ApiPart): string[] {
  const exported = new Set(declarations.map(({ name }) => name));
  const found = declarations.flatMap(({ file, mentions }) =>
    [...mentions].filter((name) => !exported.has(name) && isOurs(file, name)),
  );
  return [...new Set(found)].sort().map((name) => `${part}: ${name}`);
}

function readPart(name: string, entry: string): ApiPart {
  const file = path.join(ROOT, entry);
  const source = parse(file);
  const declarations = source.statements.flatMap((statement) => exportsOf(file, statement));
  return { name, declarations };
}

function exportsOf(file: string, statement: ts.Statement): Declaration[] {
  if (!ts.isExportDeclaration(statement)) {
    return namesOf(statement).map((name) => declaration(file, name));
  }
  const { exportClause, moduleSpecifier } = statement;
  if (exportClause === undefined || !ts.isNamedExports(exportClause)) return [];
  return exportClause.elements.map(({ name }) =>
    declaration(moduleSpecifier === undefined ? file : target(file, moduleSpecifier), name.text),
  );
}

/** The declaration of a name in a file, or in the file that it comes from. */
function declaration(file: string, name: string): Declaration {
  const source = parse(file);
  const own = source.statements.filter((statement) => namesOf(statement, false).includes(name));
  if (own.length > 0) return describe(source, name, own);
  for (const statement of source.statements) {
    const imported =
      (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) &&
      new RegExp(`\\b${name}\\b`).test(statement.getText(source));
    if (imported && statement.moduleSpecifier !== undefined) {
      return declaration(target(file, statement.moduleSpecifier), name);
    }
  }
  throw new Error(`${file} has no ${name}`);
}

function describe(source: ts.SourceFile, name: string, own: readonly ts.Statement[]): Declaration {
  const mentions = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (isPrivate(node)) return;
    if (ts.isTypeReferenceNode(node)) mentions.add(node.typeName.getText(source));
    ts.forEachChild(node, visit);
  };
  own.forEach(visit);
  const [comment = ''] = own.flatMap((statement) =>
    (ts.getLeadingCommentRanges(source.text, statement.getFullStart()) ?? [])
      .slice(-1)
      .map(({ pos, end }) => source.text.slice(pos, end)),
  );
  return { name, file: source.fileName, comment, mentions };
}

const isPrivate = (node: ts.Node): boolean =>
  ts.isClassElement(node) &&
  ((node.name !== undefined && ts.isPrivateIdentifier(node.name)) ||
    (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0);

function namesOf(statement: ts.Statement, exportedOnly = true): string[] {
  if (exportedOnly && !/^export\b/.test(statement.getText())) return [];
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const named =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return named && statement.name !== undefined ? [statement.name.text] : [];
}

/** True if a name that a file mentions is a type of this project. */
function isOurs(file: string, name: string): boolean {
  const source = parse(file);
  if (source.statements.some((statement) => namesOf(statement).includes(name))) return true;
  return source.statements.some(
    (statement) =>
      ts.isImportDeclaration(statement) &&
      new RegExp(`\\b${name}\\b`).test(statement.importClause?.getText(source) ?? '') &&
      /^'\.(?!.*\/generated\/)/.test(statement.moduleSpecifier.getText(source)),
  );
}

const target = (file: string, specifier: ts.Expression): string =>
  path.join(path.dirname(file), `${specifier.getText().slice(1, -1)}.d.ts`);

const parsed = new Map<string, ts.SourceFile>();

function parse(file: string): ts.SourceFile {
  const known = parsed.get(file);
  if (known !== undefined) return known;
  const text = fs.readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  parsed.set(file, source);
  return source;
}
