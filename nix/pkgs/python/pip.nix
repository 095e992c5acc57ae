# pip, for `pip install -e .` in the development shell. It opens a certificate bundle even when it
# downloads nothing: upstream has one inside certifi, Debian a file of the host.
{
  mkPythonDebPackage,
  python,
  wheel,
}:
mkPythonDebPackage {
  deb = "python3-pip";
  dependencies = [ wheel ];
  postUnpack = ''
    certifi=$out/${python.sitePackages}/pip/_vendor/certifi
    cat $out/share/ca-certificates/mozilla/*.crt >$certifi/cacert.pem
    sed -i "s,/etc/ssl/certs/ca-certificates.crt,$certifi/cacert.pem," $certifi/core.py
    grep -q $out $certifi/core.py
    rm $out/bin/update-ca-certificates
  '';
  meta.description = "Installs Python packages";
}
