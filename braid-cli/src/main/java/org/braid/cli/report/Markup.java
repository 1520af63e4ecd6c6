package org.braid.cli.report;

import java.util.Locale;

/** Builds HTML and SVG and escapes all text and attribute values. */
final class Markup {
  private final StringBuilder text = new StringBuilder();

  /** Text made harmless in content and in quoted attributes. */
  static String escape(String raw) {
    StringBuilder out = new StringBuilder(raw.length() + 16);
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        case '\t', '\n' -> out.append(c);
        // XML has no other control characters and no lone surrogates, not even escaped.
        default -> out.append(isPrintable(raw, i) ? c : '?');
      }
    }
    return out.toString();
  }

  private static boolean isPrintable(String raw, int i) {
    char c = raw.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 < raw.length() && Character.isLowSurrogate(raw.charAt(i + 1));
    }
    if (Character.isLowSurrogate(c)) {
      return i > 0 && Character.isHighSurrogate(raw.charAt(i - 1));
    }
    return c >= ' ' && c < '\uFFFE';
  }

  /** Opens an element; attributes are name and value in turn. */
  Markup open(String name, Object... attributes) {
    tag(name, attributes);
    text.append('>');
    return this;
  }

  /** Closes an element. */
  Markup close(String name) {
    text.append("</").append(name).append(">\n");
    return this;
  }

  /** An element without content. */
  Markup empty(String name, Object... attributes) {
    tag(name, attributes);
    text.append("/>\n");
    return this;
  }

  /** An element with text. */
  Markup element(String name, String content, Object... attributes) {
    return open(name, attributes).text(content).close(name);
  }

  /** Text. */
  Markup text(String content) {
    text.append(escape(content));
    return this;
  }

  /** Markup that was built already. */
  Markup add(Markup other) {
    text.append(other.text);
    return this;
  }

  private void tag(String name, Object... attributes) {
    text.append('<').append(name);
    for (int i = 0; i < attributes.length; i += 2) {
      text.append(' ').append(attributes[i]).append("=\"");
      text.append(escape(value(attributes[i + 1]))).append('"');
    }
  }

  private static String value(Object value) {
    return value instanceof Double number
        ? String.format(Locale.ROOT, "%.1f", number)
        : String.valueOf(value);
  }

  /** Starts a drawing that scales down with the page. */
  static Markup svg(int width, int height, String description) {
    return new Markup()
        .open(
            "svg",
            "xmlns",
            "http://www.w3.org/2000/svg",
            "viewBox",
            "0 0 " + width + " " + height,
            "width",
            width,
            "height",
            height,
            "role",
            "img",
            "aria-label",
            description);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
