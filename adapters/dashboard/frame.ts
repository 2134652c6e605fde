import { type Html, html } from './html.ts';

/** Makes a page around its content. */
export function frame(title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="app.css">
<link rel="stylesheet" href="reference.css">
</head>
<body>
<main class="reference">${content}</main>
</body>
</html>
`;
}
