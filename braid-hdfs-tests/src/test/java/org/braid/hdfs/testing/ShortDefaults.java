package org.braid.hdfs.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Has tests read Hadoop's defaults without their descriptions. Hadoop reads its default files anew
 * for each configuration that is made, several for each daemon, which took a fifth of the time that
 * tests compute. Names and values are those of the files on the class path.
 */
public final class ShortDefaults implements BeforeAllCallback {
  private static final Map<String, Optional<URL>> KNOWN = new ConcurrentHashMap<>();

  /** Called by JUnit. */
  public ShortDefaults() {}

  @Override
  public void beforeAll(ExtensionContext context) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    if (!(loader instanceof Shortening)) {
      Thread.currentThread().setContextClassLoader(new Shortening(loader));
    }
  }

  /** Finds all else where its parent does. */
  private static final class Shortening extends ClassLoader {
    Shortening(ClassLoader parent) {
      super("short-defaults", parent);
    }

    @Override
    public @Nullable URL getResource(String name) {
      if (name.endsWith("-default.xml") || name.endsWith("-site.xml")) {
        return KNOWN.computeIfAbsent(name, this::find).orElse(null);
      }
      return super.getResource(name);
    }

    private Optional<URL> find(String name) {
      Optional<URL> found = Optional.ofNullable(super.getResource(name));
      return name.endsWith("-default.xml") ? found.map(Shortening::shortened) : found;
    }

    private static URL shortened(URL defaults) {
      try (InputStream in = defaults.openStream()) {
        Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
        NodeList described = document.getElementsByTagName("description");
        while (described.getLength() > 0) {
          Node description = described.item(0);
          description.getParentNode().removeChild(description);
        }
        Path file = Files.createTempFile("braid-test", ".xml");
        file.toFile().deleteOnExit();
        TransformerFactory.newInstance()
            .newTransformer()
            .transform(new DOMSource(document), new StreamResult(file.toFile()));
        return url(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (ParserConfigurationException | SAXException | TransformerException e) {
        throw new IllegalStateException(defaults + " cannot be shortened", e);
      }
    }

    private static URL url(Path file) throws MalformedURLException {
      return file.toUri().toURL();
    }
  }
}
