package org.braid.hdfs.testkit.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * Hadoop's defaults without their descriptions, which are most of the text. Each daemon that starts
 * reads all defaults several times.
 */
final class BriefDefaults extends ClassLoader {
  private static final String SUFFIX = "-default.xml";
  private static final List<String> KEPT = List.of("name", "value", "final");

  private static final ClassLoader USUAL = BriefDefaults.class.getClassLoader();
  private static final ClassLoader BRIEF = new BriefDefaults();

  private final Map<String, URL> texts = new ConcurrentHashMap<>();

  private BriefDefaults() {
    super(USUAL);
  }

  /** Has this thread read them, and the threads that it starts. */
  static void use() {
    if (Thread.currentThread().getContextClassLoader() == USUAL) {
      Thread.currentThread().setContextClassLoader(BRIEF);
    }
  }

  @Override
  public @Nullable URL getResource(String name) {
    URL whole = super.getResource(name);
    return whole == null || !name.endsWith(SUFFIX)
        ? whole
        : texts.computeIfAbsent(name, missing -> brief(whole));
  }

  private static URL brief(URL whole) {
    try (InputStream in = whole.openStream()) {
      Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
      Node properties = document.getDocumentElement();
      for (Node property : children(properties)) {
        if (property.getNodeType() != Node.ELEMENT_NODE) {
          properties.removeChild(property);
        }
        for (Node part : children(property)) {
          if (!KEPT.contains(part.getNodeName())) {
            property.removeChild(part);
          }
        }
      }
      Path file = Files.createTempFile("braid-", SUFFIX);
      file.toFile().deleteOnExit();
      try (OutputStream out = Files.newOutputStream(file)) {
        TransformerFactory.newInstance()
            .newTransformer()
            .transform(new DOMSource(document), new StreamResult(out));
      }
      return file.toUri().toURL();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ParserConfigurationException | SAXException | TransformerException e) {
      throw new IllegalStateException(whole + " cannot be read", e);
    }
  }

  private static List<Node> children(Node node) {
    var children = node.getChildNodes();
    return IntStream.range(0, children.getLength()).mapToObj(children::item).toList();
  }
}
