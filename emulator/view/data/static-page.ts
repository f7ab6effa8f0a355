import type { PageData, Session } from './page-data';

/** Script and style of the page, as the build has made them. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

/** A self-contained page: it loads nothing, from nowhere. */
export const staticPage = (data: PageData, assets: PageAssets): string =>
  html(data.title, assets, `<script type="application/json" id="data">${jsonText(data)}</script>`);

/** The page that a server sends; it requests its data from the same server. */
export const servedPage = (title: string, session: Session, assets: PageAssets): string =>
  html(
    title,
    assets,
    `<script type="application/json" id="session">${jsonText(session)}</script>`,
    '<link rel="icon" href="data:,">\n',
  );

/** No request may leave for another place than the one where the page came from. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:";

function html(title: string, { script, style }: PageAssets, data: string, icon = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escapeHtml(title)}</title>
${icon}<style>${style}</style>
</head>
<body>
<div id="page"><noscript>This page draws with JavaScript; result.json and the CSV files beside it have the figures.</noscript></div>
${data}
<script>${inScript(script)}</script>
</body>
</html>
`;
}

/** Text as it may stand in HTML. */
const escapeHtml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** JSON that ends no element and begins none, whatever its strings hold. */
const jsonText = (value: unknown): string => JSON.stringify(value).replace(/</g, '\\u003c');

/** Text inside a script element must not close it. */
const inScript = (text: string): string => text.replace(/<\/(script)/gi, '<\\/$1');
