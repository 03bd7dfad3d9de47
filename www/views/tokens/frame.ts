// The elements around the rows: the table, its headings, the part that scrolls, and the sheet the rows lie on.

export interface TableFrame {
  readonly table: HTMLElement;
  readonly scroller: HTMLElement;
  readonly sheet: HTMLElement;
}

/** Headings by column. */
const COLUMNS: readonly (readonly [column: string, heading: string])[] = [
  ["rank", "rank"],
  ["token", "token"],
  ["id", "id"],
  ["logit", "logit"],
  ["bar", "logit as a bar"],
  ["raw", "p raw"],
  ["final", "p final"],
];

export function createFrame(container: HTMLElement): TableFrame {
  const table = part("div", "token-table", "table");
  table.setAttribute("aria-label", "Every token by rank");
  const scroller = part("div", "scroller", "rowgroup");
  scroller.setAttribute("aria-label", "tokens");
  scroller.tabIndex = 0;
  const sheet = part("div", "sheet", "presentation");
  scroller.append(sheet);
  table.append(headRow(), scroller);
  container.append(table);
  return { table, scroller, sheet };
}

function part(tag: string, className: string, role: string): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.setAttribute("role", role);
  return element;
}

function headRow(): HTMLElement {
  const row = part("div", "row-head", "row");
  row.setAttribute("aria-rowindex", "1");
  for (const [column, heading] of COLUMNS) {
    const cell = part("div", `cell cell-${column}`, "columnheader");
    const text = document.createElement("span");
    text.textContent = heading;
    if (column === "bar") text.className = "heard";
    cell.append(text);
    row.append(cell);
  }
  return row;
}

/** Puts elements into the sheet in the given order, so that Tab goes down the rows; the focused one is not moved. */
export function arrange(sheet: HTMLElement, inOrder: readonly HTMLElement[]): void {
  if (inOrder.every((element, i) => sheet.children[i] === element)) return;
  const focused = inOrder.find((element) => element.contains(document.activeElement));
  let isBefore = focused !== undefined;
  for (const element of inOrder) {
    if (element === focused) isBefore = false;
    else if (isBefore) focused?.before(element);
    else sheet.append(element);
  }
}
