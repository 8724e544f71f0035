"use strict";
(() => {
  const theme = document.getElementById("theme");
  theme.addEventListener("change", () => {
    if (theme.value) document.documentElement.dataset.theme = theme.value;
    else delete document.documentElement.dataset.theme;
  });

  // The box of a mention says what its row of the table says.
  const tip = document.getElementById("tip");
  let shown = null;
  const close = () => { tip.hidden = true; shown = null; };
  const open = (mention) => {
    const row = document.getElementById(mention.getAttribute("href").slice(1));
    const heads = row.closest("table").tHead.rows[0].cells;
    const list = document.createElement("dl");
    [...row.cells].forEach((cell, i) => {
      const head = document.createElement("dt");
      const value = document.createElement("dd");
      head.textContent = heads[i].textContent;
      value.dir = "auto";
      value.textContent = cell.textContent;
      list.append(head, value);
    });
    tip.replaceChildren(list);
    tip.hidden = false;
    shown = mention;
    const at = mention.getClientRects()[0];
    const left = Math.max(8, Math.min(at.left, document.documentElement.clientWidth - tip.offsetWidth - 8));
    const below = at.bottom + tip.offsetHeight + 8 < document.documentElement.clientHeight || at.top < tip.offsetHeight + 8;
    tip.style.left = `${left + window.scrollX}px`;
    tip.style.top = `${(below ? at.bottom : at.top - tip.offsetHeight) + window.scrollY}px`;
  };
  const mentionOf = (event) => event.target.closest("a.m");
  const inTip = (node) => node instanceof Node && tip.contains(node);
  document.addEventListener("mouseover", (event) => {
    const mention = mentionOf(event);
    if (mention && mention !== shown) open(mention);
  });
  document.addEventListener("mouseout", (event) => {
    const leaves = mentionOf(event) || inTip(event.target);
    const to = event.relatedTarget;
    if (leaves && !inTip(to) && !(to instanceof Element && to.closest("a.m") === shown)) close();
  });
  document.addEventListener("focusin", (event) => { if (mentionOf(event)) open(mentionOf(event)); else close(); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  // A row of a closed table is opened before the link leads there.
  document.addEventListener("click", (event) => {
    const mention = mentionOf(event);
    if (mention) document.getElementById(mention.getAttribute("href").slice(1)).closest("details").open = true;
    else if (!inTip(event.target)) close();
  });

  const search = document.getElementById("search");
  const pages = [...document.querySelectorAll("details.page")];
  const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();
  search.addEventListener("input", () => {
    const wanted = folded(search.value.trim());
    for (const page of pages) page.hidden = !folded(page.dataset.title).includes(wanted);
    const left = pages.filter((page) => !page.hidden).length;
    document.getElementById("found").textContent = wanted ? `${left} of ${pages.length} pages` : "";
  });

  // Tab-separated, numbers without the commas between their thousands.
  const plain = (cell) => {
    const text = cell.textContent.replace(/\s+/g, " ").trim();
    return cell.classList.contains("n") ? text.replaceAll(",", "") : text;
  };
  const write = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };
  for (const button of document.querySelectorAll("button.copy")) {
    button.addEventListener("click", async () => {
      const table = button.previousElementSibling.querySelector("table");
      await write([...table.rows].map((row) => [...row.cells].map(plain).join("\t")).join("\n"));
      const label = button.firstChild;
      label.textContent = "Copied";
      setTimeout(() => { label.textContent = "Copy"; }, 1500);
    });
  }
})();
