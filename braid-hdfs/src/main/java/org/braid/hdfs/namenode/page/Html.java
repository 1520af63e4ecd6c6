package org.braid.hdfs.namenode.page;

/** Writes HTML that is well-formed XML, too. Whatever is text is escaped. */
final class Html {
  private final StringBuilder out = new StringBuilder(16_384);

  /** A cell of a table. */
  record Cell(String text, String style) {}

  /** A cell with text. */
  static Cell cell(Object text) {
    return new Cell(String.valueOf(text), "");
  }

  /** A cell with a number. */
  static Cell number(Object text) {
    return new Cell(String.valueOf(text), "n");
  }

  /** A cell whose text stands out. */
  static Cell marked(Object text, String style) {
    return new Cell(String.valueOf(text), style);
  }

  /** Appends markup as it is. */
  Html markup(String markup) {
    out.append(markup);
    return this;
  }

  /** Appends text. */
  Html text(Object text) {
    out.append(escape(String.valueOf(text)));
    return this;
  }

  /** Appends an element with text in it. */
  Html element(String name, Object text) {
    return markup("<" + name + ">").text(text).markup("</" + name + ">");
  }

  /** Appends an element with a class and text in it. */
  Html element(String name, String style, Object text) {
    return markup("<" + name + " class=\"")
        .text(style)
        .markup("\">")
        .text(text)
        .markup("</" + name + ">\n");
  }

  /**
   * Begins a table.
   *
   * @param columns their headings; those of numbers begin with {@code >}
   */
  Html table(String... columns) {
    markup("<div class=\"wide\"><table>\n<tr>");
    for (String column : columns) {
      boolean number = column.startsWith(">");
      markup(number ? "<th class=\"n\">" : "<th>")
          .text(number ? column.substring(1) : column)
          .markup("</th>");
    }
    return markup("</tr>\n");
  }

  /** Appends a row. */
  Html row(Cell... cells) {
    markup("<tr>");
    for (Cell cell : cells) {
      markup(cell.style().isEmpty() ? "<td>" : "<td class=\"" + escape(cell.style()) + "\">")
          .text(cell.text())
          .markup("</td>");
    }
    return markup("</tr>\n");
  }

  /** Ends a table. */
  Html end() {
    return markup("</table></div>\n");
  }

  /** Text as it may stand between tags and in attributes. */
  static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            point -> {
              switch (point) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.appendCodePoint(isText(point) ? point : 0xFFFD);
              }
            });
    return escaped.toString();
  }

  /** Whether XML and HTML allow a character. */
  private static boolean isText(int point) {
    return point >= 0x20 ? !Character.isISOControl(point) && isAssigned(point) : point == '\n';
  }

  private static boolean isAssigned(int point) {
    boolean surrogate = point >= 0xD800 && point <= 0xDFFF;
    return !surrogate && (point & 0xFFFE) != 0xFFFE;
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
