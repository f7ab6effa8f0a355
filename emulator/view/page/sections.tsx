import { isOfWords } from '../../../common/words-column';
import type { Fact, PageSection } from '../data/page-data';
import { saveText } from './download';

export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts.map(([value, label, beside]) => (
      <div class="fact" key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
        {beside !== undefined && <dd class="other">{beside}</dd>}
      </div>
    ))}
  </dl>
);

/** Text and a table. */
export function Section({ title, text, rows, file, tone }: PageSection) {
  const body = (
    <>
      {rows !== undefined && <Table rows={rows} title={title} />}
      {text?.map((line, i) => (
        <p key={i}>{line}</p>
      ))}
      {file !== undefined && (
        <p class="made">
          <button type="button" onClick={() => saveText(file.name, file.text)}>
            {file.name}
          </button>
        </p>
      )}
    </>
  );
  return (
    <section class={tone === 'bad' ? 'violations' : ''}>
      <h2>{title}</h2>
      {body}
    </section>
  );
}

export function Table({
  rows: [heads = [], ...rows],
  title,
}: {
  readonly rows: readonly (readonly string[])[];
  readonly title: string;
}) {
  const align = heads.map((_, i) =>
    isOfWords(rows.map((cells) => cells[i] ?? '')) ? 'words' : '',
  );
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label={title}>
      <table>
        <thead>
          <tr>
            {heads.map((head, i) =>
              head === '' ? (
                <td key={i} />
              ) : (
                <th scope="col" key={i} class={align[i]}>
                  {head}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, i) => (
            <tr key={i}>
              {cells.map((cell, j) => (
                <td key={j} class={align[j]}>
                  {cell.replaceAll(' ± ', '\u00a0±\u00a0')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
